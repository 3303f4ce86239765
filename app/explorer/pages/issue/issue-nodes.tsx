import type { JSX } from "preact";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import type { IssueDetail } from "#storage/issues/issue.ts";
import { ExportMenu } from "../export/menu.tsx";
import { CopyButton } from "../frame/dialog.tsx";
import { Panel } from "../frame/panel.tsx";
import { literal, query } from "../pql/text.ts";
import { CellLink, certnameColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { mostUrgentFirst, silence, stateKeys, stateOf } from "../state/states.ts";
import { StateMark } from "../state/state-mark.tsx";
import { Age } from "../time/age.tsx";
import { formatTime } from "../time/format.ts";

type NodeRow = IssueDetail["nodes"][number];

const codec = sortCodec({ field: "still", descending: true });

const columns: readonly Column<NodeRow>[] = [
  certnameColumn(),
  {
    key: "still",
    title: "Has it now",
    meaning: "Whether its latest run has the issue",
    width: 90,
    sort: "still",
    value: (row) => (row.still ? 1 : 0),
    cell: (row) => (row.still ? "yes" : <span class="muted">no</span>),
  },
  {
    key: "state",
    title: "State",
    width: 134,
    sort: "state",
    value: (row) => stateKeys.length - mostUrgentFirst.indexOf(stateOf(row, silence.value)),
    cell: (row) => <StateMark state={stateOf(row, silence.value)} />,
  },
  textColumn("environment", "Environment", ({ environment }) => environment, { width: 116, fits: 180 }),
  {
    key: "report_timestamp",
    title: "Last run",
    width: 92,
    sort: "report_timestamp",
    value: (row) => row.report_timestamp,
    cell: (row) => <Age time={row.report_timestamp} />,
  },
  {
    key: "first",
    title: "First run with it",
    width: 152,
    sort: "first",
    value: (row) => row.first,
    cell: (row) => formatTime(row.first),
  },
  {
    key: "time",
    title: "Last run with it",
    width: 152,
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
      actions={
        <>
          <a
            href={href("nodes", [], {
              q: `certname in [${nodes.map(({ certname }) => literal(certname)).join(", ")}]`,
            })}
          >
            Show in Nodes
          </a>
          <CopyButton text={() => nodes.map(({ certname }) => certname).join("\n")}>Copy names</CopyButton>
          <ExportMenu name="nodes-with-issue" pql={exported(nodes)} />
        </>
      }
    >
      {total > nodes.length ? (
        <p class="muted">
          The {nodes.length.toLocaleString()} that have it still or had it last are listed. Choose a shorter time range.
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
