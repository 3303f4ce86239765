import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { sinceColumn } from "../changes/since-column.tsx";
import { type SinceOf, useSince } from "../changes/change.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { useShownRows } from "../list/list-page.tsx";
import type { PackageVersions } from "../packages/versions.ts";
import { query } from "../pql/text.ts";
import { useNodeStates } from "../resource/use-node-states.ts";
import { StateMark } from "../state/state-mark.tsx";
import type { StateKey } from "../state/states.ts";
import { certnameColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { MOST_ROWS_IN_MEMORY, useMemorySource } from "../table/memory-source.ts";
import { Text } from "../value/value.tsx";
import { counted } from "../value/text.ts";

interface InstalledRow {
  readonly certname: string;
  readonly provider: string;
  readonly version: string;
}

export interface PackageNodesProps {
  readonly name: string;
  /** Selects them in `package_inventory`. */
  readonly where: string | undefined;
  readonly packages: readonly PackageVersions[];
}

const oldestFirst = sortCodec({ field: "version", descending: false });

/** Characters of a text in a cell. */
const SHOWN = 200;

/** The nodes with some versions of a package: who still runs the oldest one first. */
export function PackageNodes({ name, where, packages }: PackageNodesProps): JSX.Element {
  const [sort, setSort] = useParameter("sort", oldestFirst);
  const pql = query("package_inventory", {
    select: ["certname", "provider", "version"],
    where,
    orderBy: ["certname", "provider", "version"],
  });
  const loaded = useQuery<InstalledRow>({ name: `Nodes with ${name}`, pql, limit: MOST_ROWS_IN_MEMORY });
  const places = useMemo(() => placesOf(packages), [packages]);
  const inMemory = useMemorySource(loaded.value ?? [], {
    columns: columnsOf(places, () => undefined, undefined),
    sort,
    loaded,
  });
  const { source, shown } = useShownRows(inMemory);
  const certnames = [...new Set(shown.map(({ certname }) => certname))];
  const states = useNodeStates(certnames);
  const since = useSince({ entity: "package_changes", what: name }, certnames);
  const condition = where === undefined ? "" : ` ${where} `;
  return (
    <>
      <p class="package-older">
        <span class="muted" role="status">
          {loaded.value === undefined ? "" : countText(loaded.value)}
        </span>
        <a href={href("nodes", [], { q: `certname in package_inventory[certname]{${condition}}` })}>Show in Nodes</a>
        <ExportMenu name="package-on-nodes" pql={pql} />
      </p>
      <DataTable
        isPart
        name="Nodes with the package"
        columns={columnsOf(places, states, since)}
        source={source}
        sort={sort}
        onSort={setSort}
        onOpen={({ certname }) => go(href("node", [certname]))}
        empty={<p>No node has these versions.</p>}
      />
    </>
  );
}

function countText(rows: readonly InstalledRow[]): string {
  const nodes = new Set(rows.map(({ certname }) => certname)).size;
  return counted(nodes, "node");
}

/** Places of versions by provider, the oldest first. */
function placesOf(packages: readonly PackageVersions[]): (row: InstalledRow) => number {
  const places = new Map<string, number>();
  for (const { provider, versions } of packages) {
    for (const { version } of versions.toReversed()) places.set(`${provider}\n${version}`, places.size);
  }
  return ({ provider, version }) => places.get(`${provider}\n${version}`) ?? -1;
}

function columnsOf(
  place: (row: InstalledRow) => number,
  states: (certname: string) => StateKey | undefined,
  since: SinceOf | undefined,
): readonly Column<InstalledRow>[] {
  return [
    { ...certnameColumn<InstalledRow>(), value: ({ certname }) => certname },
    {
      key: "state",
      title: "Node",
      width: 136,
      cell: ({ certname }) => {
        const state = states(certname);
        return state === undefined ? <span class="table-waiting" /> : <StateMark state={state} />;
      },
    },
    {
      key: "version",
      title: "Version",
      width: 220,
      sort: "version",
      value: place,
      text: ({ version }) => version,
      cell: ({ version }) => <Text text={version} limit={SHOWN} />,
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
    ...sinceColumn<InstalledRow>(since),
  ];
}
