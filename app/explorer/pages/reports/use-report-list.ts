import { type ChangeOptions, useParameter } from "../address/address.ts";
import { list, type Sort, sort as sortCodec } from "../address/codecs.ts";
import type { Column, RowSource } from "../table/column.ts";
import { exportedRows, type RowsQuery, useQuerySource } from "../table/query-source.ts";
import { EVENTS, reportColumns } from "./columns.tsx";
import { reportFields, type ReportsRow } from "./rows.ts";
import type { Exported } from "../export/export.ts";

export interface ReportListOptions {
  /** For the list of queries: "Reports". */
  readonly name: string;
  readonly where: string | undefined;
  /** Whether all reports are of the same node; there is no column for it then. */
  readonly isOfNode: boolean;
}

/** Reports in a table: which columns, in which order. */
export interface ReportList {
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
