import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { type ChangeOptions, go, href, useParameter } from "../address/address.ts";
import { ColumnsDialog } from "../table/columns-dialog.tsx";
import { DataTable } from "../table/data-table.tsx";
import type { Facet } from "../facets/filters.ts";
import { catalogLabel } from "../report/rows.ts";
import { list, type Sort, sort as sortCodec } from "../address/codecs.ts";
import type { Column, RowSource } from "../table/column.ts";
import { exportedRows, type RowsQuery, useQuerySource } from "../table/query-source.ts";
import type { Exported } from "../export/export.ts";
import { outcomeColumns, outcomeOf, type OutcomeRow } from "#storage/states/node-state.ts";
import { StateMark } from "../state/state-mark.tsx";
import { CellLink, certnameColumn, countColumn, textColumn } from "../table/cells.tsx";
import { durationOf, formatDuration, formatTime } from "../time/format.ts";

/** Fields of `reports` that the list shows. Times are ISO texts. */
interface ReportsRow extends OutcomeRow {
  readonly hash: string;
  readonly certname: string;
  readonly environment: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly noop: boolean | null;
  readonly configuration_version: string | null;
  readonly puppet_version: string | null;
  readonly producer: string | null;
  /** How many events of each status it has, where they are shown. */
  readonly [events: `events.${string}`]: number | undefined;
}

const reportFields = [
  ...outcomeColumns,
  "hash",
  "certname",
  "environment",
  "start_time",
  "end_time",
  "noop",
  "configuration_version",
  "puppet_version",
  "producer",
] as const satisfies readonly (keyof ReportsRow)[];

/** What the columns begin with that count events. */
const EVENTS = "events.";

const events = (status: string, title: string, meaning: string): Column<ReportsRow> =>
  countColumn(`${EVENTS}${status}`, title, (row) => row[`${EVENTS}${status}`], {
    meaning,
    width: 72,
    isFailure: status === "failure",
  });

/** The columns of the list of reports, in their order. */
const reportColumns: readonly Column<ReportsRow>[] = [
  {
    key: "end_time",
    title: "End",
    meaning: "When the run ended",
    width: 152,
    sort: "end_time",
    fixed: true,
    cell: (row) => <CellLink href={href("report", [row.hash])}>{formatTime(row.end_time)}</CellLink>,
  },
  {
    key: "status",
    title: "State",
    width: 134,
    sort: "status",
    cell: (row) => <StateMark state={outcomeOf(row)} />,
  },
  certnameColumn(),
  textColumn("environment", "Environment", (row) => row.environment, { width: 116 }),
  {
    key: "duration",
    title: "Duration",
    width: 92,
    align: "end",
    sort: "duration",
    cell: (row) => {
      const seconds = durationOf(row);
      return seconds === undefined ? "–" : formatDuration(seconds);
    },
  },
  events("failure", "Failed", "Failed events"),
  events("success", "Changed", "Changes"),
  events("skipped", "Skipped", "Skipped resources"),
  events("noop", "Pending", "Changes that the run only simulated"),
  textColumn("configuration_version", "Configuration version", (row) => row.configuration_version, { fits: 200 }),
  textColumn("puppet_version", "Agent", (row) => row.puppet_version, { width: 84 }),
  textColumn("producer", "Producer", (row) => row.producer, { fits: 220 }),
  {
    key: "noop",
    title: "Noop mode",
    meaning: "Whether the run only simulated its changes",
    width: 80,
    sort: "noop",
    cell: ({ noop }) => (noop === true ? "noop" : <span class="muted">–</span>),
  },
  {
    key: "cached_catalog_status",
    title: "Catalog",
    meaning: "Which catalog the run applied",
    width: 150,
    sort: "cached_catalog_status",
    text: (row) => catalogLabel(row.cached_catalog_status),
    cell: (row) => catalogLabel(row.cached_catalog_status),
  },
];

interface ReportListOptions {
  /** For the list of queries: "Reports". */
  readonly name: string;
  readonly where: string | undefined;
  /** Whether all reports are of the same node; there is no column for it then. */
  readonly isOfNode: boolean;
}

/** Reports in a table: which columns, in which order. */
interface ReportList {
  readonly source: RowSource<ReportsRow>;
  readonly columns: readonly Column<ReportsRow>[];
  /** The columns that can be chosen. */
  readonly offered: readonly Column<ReportsRow>[];
  readonly onColumns: (keys: readonly string[], options?: ChangeOptions) => void;
  /** Shows the columns that are shown unless others are chosen. */
  readonly onReset: () => void;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  /** What is shown, for the export. */
  readonly exported: Pick<Exported, "pql" | "table">;
}

const newest = sortCodec({ field: "end_time", descending: true });
const shownFirst = ["end_time", "status", "environment", "duration", "events.failure", "events.success", "events.noop"];
const codecs = {
  ofAll: list(["end_time", "status", "certname", ...shownFirst.slice(2)]),
  ofNode: list([...shownFirst, "puppet_version"]),
} as const;

/** Reports that a condition selects; columns and order are in the address. */
export function useReportList({ name, where, isOfNode }: ReportListOptions): ReportList {
  const codec = isOfNode ? codecs.ofNode : codecs.ofAll;
  const [sort, onSort] = useParameter("sort", newest);
  const [chosen, onColumns] = useParameter("cols", codec);
  const query: RowsQuery = {
    name,
    entity: "reports",
    select: reportFields,
    where,
    // The hash makes the order unique.
    orderBy: [`${sort.field}${sort.descending ? " desc" : ""}`, "hash"],
    columns: [...new Set([...reportFields, ...chosen.filter((key) => key.startsWith(EVENTS))])],
  };
  const source = useQuerySource<ReportsRow>(query);
  const offered = isOfNode ? reportColumns.filter(({ key }) => key !== "certname") : reportColumns;
  const columns = [...new Set(chosen)].flatMap((key) => offered.find((column) => column.key === key) ?? []);
  return {
    source,
    columns,
    offered,
    onColumns,
    onReset: () => onColumns(codec.fallback),
    sort,
    onSort,
    exported: exportedRows(
      query,
      columns.map(({ key }) => key),
    ),
  };
}

/** Facets of the list of reports. @param hasCorrective whether corrective changes are stored */
export function reportFacets(hasCorrective: boolean): readonly Facet[] {
  return [
    { field: "status", label: "Puppet's status", order: ["failed", "changed", "unchanged"] },
    { field: "environment", label: "Environment" },
    {
      field: "cached_catalog_status",
      label: "Catalog",
      order: ["on_failure", "explicitly_requested", "not_used"],
      show: (value) => catalogLabel(typeof value === "string" ? value : null),
    },
    { field: "noop", label: "Noop mode" },
    ...(hasCorrective ? [{ field: "corrective_change", label: "Corrective change" }] : []),
    { field: "producer", label: "Producer" },
    { field: "puppet_version", label: "Agent" },
  ];
}

export interface ReportTableProps {
  readonly name: string;
  readonly reports: ReportList;
  readonly empty: ComponentChildren;
}

/** Reports, one a row. */
export function ReportTable({ name, reports, empty }: ReportTableProps): JSX.Element {
  return (
    <DataTable
      name={name}
      columns={reports.columns}
      source={reports.source}
      sort={reports.sort}
      onSort={reports.onSort}
      onColumns={reports.onColumns}
      onOpen={(row) => go(href("report", [row.hash]))}
      empty={empty}
    />
  );
}

/** Opens the list of columns. */
export function ReportColumnsButton({ reports }: Pick<ReportTableProps, "reports">): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Columns
      </button>
      {isOpen ? (
        <ColumnsDialog
          offered={reports.offered}
          shown={reports.columns.map(({ key }) => key)}
          onChange={reports.onColumns}
          onReset={reports.onReset}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
