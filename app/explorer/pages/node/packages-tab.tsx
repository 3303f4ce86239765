import { versionKey } from "#storage/package-versions/version-key.ts";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { href } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { useData } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Loading, Problem } from "../frame/panel.tsx";
import { ListTable, useNeedle } from "../list/list-page.tsx";
import { SearchField } from "../list/search-field.tsx";
import { packagesOf, useVersions, type VersionCount } from "../packages/versions.ts";
import { and, literal, query } from "../pql/text.ts";
import { countColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { counted } from "../value/text.ts";
import { holds, Text } from "../value/value.tsx";
import { isInactive, type NodeRow, ofNode } from "./use-node.ts";

interface NodePackage {
  readonly name: string;
  readonly provider: string;
  readonly version: string;
  /** On nodes with the same release of the operating system; undefined until they are counted. */
  readonly newest: string | undefined;
  readonly isBehind: boolean | undefined;
  /** Nodes of that release with the package in this version. */
  readonly nodes: number | undefined;
}

type Installed = Pick<VersionCount, "package_name" | "provider" | "version">;

/** Characters of a text in a cell. */
const SHOWN = 200;

const order = sortCodec({ field: "behind", descending: true });

const columns: readonly Column<NodePackage>[] = [
  textColumn("name", "Package", ({ name }) => name, { width: 140, grows: true, hrefOf }),
  textColumn("version", "Version", ({ version }) => version, { width: 120, fits: 260 }),
  textColumn("provider", "Provider", ({ provider }) => provider, { width: 84 }),
  {
    key: "behind",
    title: "Behind",
    meaning: "Whether nodes with the same release of the operating system have a newer version, and which",
    width: 120,
    fits: 260,
    sort: "behind",
    value: ({ isBehind }) => (isBehind === undefined ? undefined : Number(isBehind)),
    text: ({ isBehind, newest }) => (isBehind === true ? newest : undefined),
    cell: ({ isBehind, newest }) =>
      isBehind === undefined ? (
        <span class="table-waiting" />
      ) : isBehind ? (
        <Text text={newest ?? ""} limit={SHOWN} />
      ) : (
        <span class="muted">–</span>
      ),
  },
  countColumn("nodes", "Same version", ({ nodes }) => nodes, {
    meaning: "Nodes with the same release of the operating system that have this version",
  }),
];

function hrefOf({ name }: { readonly name: string }): string {
  return href("package", [], { name });
}

/** The packages of a node, those first of which other nodes of its release have a newer version. */
export function PackagesTab({ node }: { readonly node: NodeRow }): JSX.Element {
  const [needle, setNeedle] = useNeedle();
  const own = ofNode(node.certname, { isInactive: isInactive(node) });
  const pql = query("package_inventory", {
    select: ["package_name", "provider", "version"],
    where: own,
    orderBy: ["package_name", "provider", "version"],
  });
  const loaded = useQuery<Installed>({ name: "Packages of the node", pql });
  const versions = useVersions("Versions on nodes with the same release", useSameRelease(node));
  const rows = useMemo(
    () => packagesWithNewest(loaded.value ?? [], versions.value).filter(({ name }) => holds(name, needle)),
    [loaded.value, versions.value, needle],
  );
  if (loaded.value === undefined) return <Loading loaded={loaded} height={400} />;
  if (loaded.value.length === 0) return <p>No packages of this node are stored.</p>;
  const behind = rows.filter(({ isBehind }) => isBehind === true).length;
  return (
    <>
      {loaded.error === undefined ? null : <Problem loaded={loaded} />}
      <div class="list-filters">
        <SearchField label="Search packages" value={needle} onChange={setNeedle} isFilter />
        <span class="muted" role="status">
          {counted(rows.length, "package")}
          {versions.value === undefined ? "" : `, ${behind.toLocaleString()} behind`}
        </span>
        <ExportMenu name={`packages-${node.certname}`} pql={pql} />
      </div>
      <ListTable
        name="Packages of the node"
        columns={columns}
        rows={rows}
        loaded={loaded}
        order={order}
        hrefOf={hrefOf}
        empty="No package has this in its name."
      />
    </>
  );
}

/** The condition for packages of nodes with the same release of the operating system, and of this one. */
function useSameRelease(node: NodeRow): string {
  const { certname } = node;
  const facts = useData<readonly { readonly "facts.os.name": unknown; readonly "facts.os.release.major": unknown }[]>({
    name: "Release of the operating system",
    path: "/explorer/api/v1/rows",
    parameters: {
      query: query("nodes", { where: ofNode(certname, { isInactive: isInactive(node) }) }),
      column: ["facts.os.name", "facts.os.release.major"],
      format: "json",
    },
  });
  const [release] = facts.value ?? [];
  const own = Object.entries(release ?? {}).flatMap(([field, value]) =>
    typeof value === "string"
      ? [`${field} = ${literal(value)}`]
      : typeof value === "number"
        ? [`${field} = ${value}`]
        : [],
  );
  if (own.length === 0) return `certname = ${literal(certname)}`;
  return `certname in inventory[certname]{ ${and(...own) ?? ""} }`;
}

function packagesWithNewest(
  installed: readonly Installed[],
  counts: readonly VersionCount[] | undefined,
): NodePackage[] {
  const known = new Map(
    packagesOf(counts ?? []).map((one) => [JSON.stringify([one.name, one.provider]), one.versions] as const),
  );
  return installed.map(({ package_name: name, provider, version }) => {
    const versions = known.get(JSON.stringify([name, provider])) ?? [];
    const [newest] = versions;
    if (newest === undefined) {
      const nothing = counts === undefined ? undefined : false;
      return { name, provider, version, newest: undefined, isBehind: nothing, nodes: undefined };
    }
    const nodes = versions.find((one) => one.version === version)?.count ?? 0;
    return {
      name,
      provider,
      version,
      newest: newest.version,
      isBehind: versionKey(version, provider) < versionKey(newest.version, provider),
      nodes,
    };
  });
}
