import type { JSX } from "preact";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import type { IssueDetail } from "#storage/issues/issue.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Panel } from "../frame/panel.tsx";
import { literal, query } from "../pql/text.ts";
import { CellLink } from "../table/cell-link.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { formatTime } from "../time/format.ts";
import { Text } from "../value/value.tsx";

type NodeRow = IssueDetail["nodes"][number];

const codec = sortCodec({ field: "time", descending: true });

/** Characters of a name in a cell. */
const SHOWN = 200;

const columns: readonly Column<NodeRow>[] = [
  {
    key: "certname",
    title: "Certname",
    width: 320,
    grows: true,
    sort: "certname",
    value: (row) => row.certname,
    text: (row) => row.certname,
    cell: (row) => (
      <CellLink href={href("node", [row.certname])}>
        <Text text={row.certname} limit={SHOWN} />
      </CellLink>
    ),
  },
  {
    key: "environment",
    title: "Environment",
    width: 180,
    sort: "environment",
    value: (row) => row.environment,
    text: (row) => row.environment ?? undefined,
    cell: (row) => <Text text={row.environment ?? "–"} limit={SHOWN} />,
  },
  {
    key: "time",
    title: "Last run with it",
    width: 200,
    sort: "time",
    value: (row) => row.time,
    cell: (row) => <CellLink href={href("report", [row.report])}>{formatTime(row.time)}</CellLink>,
  },
];

/** The nodes that an issue is on, each with its last run that has it. */
export function IssueNodes({ loaded }: { readonly loaded: Loaded<IssueDetail> }): JSX.Element {
  const nodes = loaded.value?.nodes ?? [];
  const total = loaded.value?.issue.nodes ?? nodes.length;
  const [sort, setSort] = useParameter("sort", codec);
  const source = useMemorySource(nodes, { columns, sort });
  return (
    <Panel
      title={`Nodes (${total.toLocaleString()})`}
      actions={<ExportMenu name="nodes-with-issue" pql={exported(nodes)} />}
    >
      {total > nodes.length ? (
        <p class="muted">
          The {nodes.length.toLocaleString()} that had it last are listed. Choose a shorter time range.
        </p>
      ) : null}
      <DataTable
        name="Nodes with the issue"
        columns={columns}
        source={source}
        sort={sort}
        onSort={setSort}
        onOpen={(row) => go(href("report", [row.report]))}
      />
    </Panel>
  );
}

/** The rows shown, as a query of their reports. */
function exported(nodes: readonly NodeRow[]): string {
  return query("reports", {
    select: ["certname", "environment", "hash", "producer_timestamp", "status"],
    where: `hash in [${nodes.map(({ report }) => literal(report)).join(", ")}]`,
    orderBy: ["certname"],
  });
}
