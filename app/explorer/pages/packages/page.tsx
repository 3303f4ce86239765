import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { href, useEnvironment, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { ExportMenu } from "../export/menu.tsx";
import { filteredRows, filtersCodec, type LocalFacet } from "../facets/filters.ts";
import { Page } from "../frame/page.tsx";
import { ListPage, ListTable, useNeedle } from "../list/list-page.tsx";
import { countColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { holds, Text } from "../value/value.tsx";
import { packagesInEnvironment, packagesOf, type PackageVersions, useVersions, versionsPql } from "./versions.ts";
import { counted } from "../value/text.ts";
import { FilterChips, LocalSidebar } from "../facets/sidebar.tsx";

/** Narrower parts of the bar cannot be seen. */
const MOST_PARTS = 40;

/** The versions of a package side by side, the newest first and in a colour of its own. The columns beside it say the same. */
function SpreadBar({ versions, installed }: PackageVersions): JSX.Element {
  let before = 0;
  return (
    <svg class="spread-bar" width="100%" height="10" aria-hidden="true">
      {versions.slice(0, MOST_PARTS).map(({ version, count }) => {
        const start = (100 * before) / installed;
        before += count;
        return <rect key={version} x={`${start}%`} width={`${(100 * count) / installed}%`} height="10" />;
      })}
    </svg>
  );
}

const order = sortCodec({ field: "versions", descending: true });

/** Characters of a name in a cell. */
const SHOWN = 200;

const facets: readonly LocalFacet<PackageVersions>[] = [
  { field: "provider", label: "Provider", valuesOf: ({ provider }) => [provider] },
];

const columns: readonly Column<PackageVersions>[] = [
  textColumn("name", "Package", ({ name }) => name, {
    width: 140,
    grows: true,
    hrefOf: ({ name }) => href("package", [], { name }),
  }),
  textColumn("provider", "Provider", ({ provider }) => provider, { width: 84 }),
  countColumn("installed", "Installed", ({ installed }) => installed, {
    meaning: "Nodes with the package; one that has two versions counts twice",
  }),
  countColumn("versions", "Versions", ({ versions }) => versions.length, { meaning: "Different versions" }),
  countColumn("behind", "Behind", ({ behind }) => behind, {
    meaning:
      "Nodes whose version is older than the newest one of the same provider on the same release of the operating system",
  }),
  {
    key: "spread",
    title: "Newest to oldest",
    meaning: "Nodes by version",
    width: 120,
    grows: true,
    cell: (row) => <SpreadBar {...row} />,
  },
  {
    key: "newest",
    title: "Newest",
    width: 170,
    fits: 300,
    meaning: "On each release of an operating system",
    text: (row) => row.releases.map(({ release, versions }) => `${release}: ${versions[0]?.version ?? ""}`).join("\n"),
    cell: ({ releases }) => (
      <Text text={[...new Set(releases.map(({ versions }) => versions[0]?.version ?? ""))].join(", ")} limit={SHOWN} />
    ),
  },
];

/** Which packages are installed, and which of them in many versions? */
export default function PackagesPage(): JSX.Element {
  const where = packagesInEnvironment(useEnvironment());
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [needle] = useNeedle();
  const loaded = useVersions("Versions of all packages", where);
  const packages = useMemo(() => packagesOf(loaded.value ?? []), [loaded.value]);
  const found = useMemo(() => packages.filter(({ name }) => holds(name, needle)), [packages, needle]);
  const rows = useMemo(() => filteredRows(found, facets, filters), [found, filters]);
  const page = {
    title: "Packages",
    actions: <ExportMenu name="packages" label="Versions with their nodes" pql={versionsPql(where)} />,
  };
  if (loaded.value?.length === 0) {
    return (
      <Page {...page}>
        <NoPackages />
      </Page>
    );
  }
  return (
    <ListPage
      {...page}
      count={loaded.value === undefined ? undefined : counted(rows.length, "package")}
      search="Search packages"
      facets={<LocalSidebar rows={found} facets={facets} filters={filters} onFilters={setFilters} />}
      filters={<FilterChips filters={filters} facets={facets} onFilters={setFilters} />}
    >
      <ListTable
        name="Packages"
        columns={columns}
        rows={rows}
        loaded={loaded}
        order={order}
        hrefOf={({ name }) => href("package", [], { name })}
        empty="No package has this in its name."
      />
    </ListPage>
  );
}

/** How packages get into the store. */
function NoPackages(): JSX.Element {
  return (
    <p>
      No packages are stored. They come with the facts of a node: with the fact <code>_puppet_inventory_1</code>, whose{" "}
      <code>packages</code> are a list of <code>[name, version, provider]</code>.
    </p>
  );
}
