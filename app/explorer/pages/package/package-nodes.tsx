import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { type SinceOf, useSince } from "../changes/change.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Panel } from "../frame/panel.tsx";
import { countedLabel } from "../frame/tabs.tsx";
import { useShownRows } from "../list/list-page.tsx";
import type { PackageVersions } from "../packages/versions.ts";
import { query } from "../pql/text.ts";
import { useStateColumn } from "../state/node-states.tsx";
import { certnameColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { MOST_ROWS_IN_MEMORY, useMemorySource } from "../table/memory-source.ts";
import { sinceColumn } from "../changes/since-column.tsx";

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
    columns: columnsOf(places, [], undefined),
    sort,
    loaded,
  });
  const { source, shown } = useShownRows(inMemory);
  const certnames = [...new Set(shown.map(({ certname }) => certname))];
  const state = useStateColumn<InstalledRow>(certnames);
  const since = useSince({ entity: "package_changes", what: name }, certnames);
  const condition = where === undefined ? "" : ` ${where} `;
  return (
    <Panel
      title={countedLabel("Nodes", loaded.value && new Set(loaded.value.map(({ certname }) => certname)).size)}
      actions={
        <>
          <a href={href("nodes", [], { q: `certname in package_inventory[certname]{${condition}}` })}>Show in Nodes</a>
          <ExportMenu name="package-on-nodes" pql={pql} />
        </>
      }
    >
      <DataTable
        name="Nodes with the package"
        columns={columnsOf(places, [state], since)}
        source={source}
        sort={sort}
        onSort={setSort}
        onOpen={({ certname }) => go(href("node", [certname]))}
        empty={<p>No node has these versions.</p>}
      />
    </Panel>
  );
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
  states: readonly Column<InstalledRow>[],
  since: SinceOf | undefined,
): readonly Column<InstalledRow>[] {
  return [
    certnameColumn(),
    ...states,
    textColumn("version", "Version", ({ version }) => version, { width: 120, fits: 260, value: place }),
    textColumn("provider", "Provider", ({ provider }) => provider, { width: 84 }),
    ...sinceColumn<InstalledRow>(since),
  ];
}
