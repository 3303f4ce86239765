import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec, text } from "../address/codecs.ts";
import { useEnvironment } from "../address/environment.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { FilterChips } from "../facets/chips.tsx";
import { filtersCodec } from "../facets/filters.ts";
import { filteredRows, type LocalFacet } from "../facets/local-filters.ts";
import { LocalSidebar } from "../facets/local-sidebar.tsx";
import { Page } from "../frame/page.tsx";
import { SearchField } from "../list/search-field.tsx";
import { CellLink } from "../table/cell-link.tsx";
import type { Column } from "../table/column.ts";
import { CountCell } from "../table/count-cell.tsx";
import { DataTable } from "../table/data-table.tsx";
import { MOST_ROWS_IN_MEMORY, useMemorySource } from "../table/memory-source.ts";
import { holds } from "../value/highlight.tsx";
import { Text } from "../value/value.tsx";
import { packagesInEnvironment, versionsPql } from "./package-query.ts";
import { SpreadBar } from "./spread-bar.tsx";
import { packagesOf, type PackageVersions, type VersionCount } from "./versions.ts";
import { counted } from "../value/counted.ts";

const textCodec = text();
const order = sortCodec({ field: "versions", descending: true });

/** Characters of a name in a cell. */
const SHOWN = 200;

const facets: readonly LocalFacet<PackageVersions>[] = [
  { field: "provider", label: "Provider", valuesOf: ({ provider }) => [provider] },
];

const columns: readonly Column<PackageVersions>[] = [
  {
    key: "name",
    title: "Package",
    width: 240,
    grows: true,
    sort: "name",
    value: ({ name }) => name,
    text: ({ name }) => name,
    cell: ({ name }) => (
      <CellLink href={href("package", [], { name })}>
        <Text text={name} limit={SHOWN} />
      </CellLink>
    ),
  },
  {
    key: "provider",
    title: "Provider",
    width: 110,
    sort: "provider",
    value: ({ provider }) => provider,
    text: ({ provider }) => provider,
    cell: ({ provider }) => <Text text={provider} limit={SHOWN} />,
  },
  {
    key: "installed",
    title: "Installed",
    meaning: "Nodes with the package; one that has two versions counts twice",
    width: 100,
    align: "end",
    sort: "installed",
    value: ({ installed }) => installed,
    cell: ({ installed }) => installed.toLocaleString(),
  },
  {
    key: "versions",
    title: "Versions",
    meaning: "Different versions",
    width: 100,
    align: "end",
    sort: "versions",
    value: ({ versions }) => versions.length,
    cell: ({ versions }) => versions.length.toLocaleString(),
  },
  {
    key: "behind",
    title: "Behind",
    meaning: "Nodes whose version is older than the newest one of the same provider",
    width: 92,
    align: "end",
    sort: "behind",
    value: ({ behind }) => behind,
    cell: ({ behind }) => <CountCell count={behind} />,
  },
  {
    key: "spread",
    title: "Spread",
    meaning: "Nodes by version, the newest first",
    width: 160,
    grows: true,
    cell: (row) => <SpreadBar {...row} />,
  },
  {
    key: "newest",
    title: "Newest",
    width: 190,
    text: ({ versions }) => versions[0]?.version,
    cell: ({ versions }) => <Text text={versions[0]?.version ?? ""} limit={SHOWN} />,
  },
];

/** Which packages are installed, and which of them in many versions? */
export default function PackagesPage(): JSX.Element {
  const where = packagesInEnvironment(useEnvironment());
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [needle, setNeedle] = useParameter("q", textCodec);
  const [sort, setSort] = useParameter("sort", order);
  const loaded = useQuery<VersionCount>({
    name: "Versions of all packages",
    pql: versionsPql(where),
    limit: MOST_ROWS_IN_MEMORY,
  });
  const packages = useMemo(() => packagesOf(loaded.value ?? []), [loaded.value]);
  const found = useMemo(() => packages.filter(({ name }) => holds(name, needle)), [packages, needle]);
  const rows = useMemo(() => filteredRows(found, facets, filters), [found, filters]);
  const source = useMemorySource(rows, { columns, sort, loaded });
  const isEmpty = loaded.value?.length === 0;
  return (
    <Page
      title="Packages"
      beside={
        loaded.value === undefined ? null : (
          <span class="muted" role="status">
            {counted(rows.length, "package")}
          </span>
        )
      }
      actions={<ExportMenu name="packages" label="Versions with their nodes" pql={versionsPql(where)} />}
    >
      {isEmpty ? (
        <NoPackages />
      ) : (
        <div class="with-facets">
          <LocalSidebar rows={found} facets={facets} filters={filters} onFilters={setFilters} />
          <div class="packages-main">
            <div class="list-filters">
              <SearchField
                label="Search packages"
                value={needle}
                onChange={(value) => setNeedle(value, { push: false })}
                isFilter
              />
              <FilterChips filters={filters} facets={facets} onFilters={setFilters} />
            </div>
            <DataTable
              name="Packages"
              columns={columns}
              source={loaded.value === undefined ? { ...source, count: undefined } : source}
              sort={sort}
              onSort={setSort}
              onOpen={({ name }) => go(href("package", [], { name }))}
              empty={<p>No package has this in its name.</p>}
            />
          </div>
        </div>
      )}
    </Page>
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
