import { type ChangeOptions, useParameter } from "../address/address.ts";
import { list, type Sort, sort as sortCodec } from "../address/codecs.ts";
import { useShownRows } from "../list/list-page.tsx";
import type { Column, RowSource } from "../table/column.ts";
import { rowsPql, type RowsQuery, useQuerySource } from "../table/query-source.ts";
import { hasEventColumns, reportColumns } from "./columns.tsx";
import { type EventCounts, reportFields, type ReportsRow } from "./rows.ts";
import { useRef } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";

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
  /** All rows, with their durations, for the export. */
  readonly pql: string;
}

const newest = sortCodec({ field: "end_time", descending: true });
const keys = reportColumns(() => undefined).map(({ key }) => key);
const codecs = { ofAll: list(keys), ofNode: list(keys.filter((key) => key !== "certname")) } as const;

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
    orderBy: [`${sort.field} ${sort.descending ? "desc" : "asc"}`, "hash"],
    computed: ["duration"],
  };
  const { source, shown } = useShownRows(useQuerySource<ReportsRow>(query));
  const counts = useEventCounts(hasEventColumns(chosen) ? shown : []);
  const offered = reportColumns(counts).filter(({ key }) => codec.fallback.includes(key));
  return {
    source,
    columns: chosen.flatMap((key) => offered.find((column) => column.key === key) ?? []),
    offered,
    onColumns,
    onReset: () => onColumns(codec.fallback),
    sort,
    onSort,
    pql: rowsPql({ ...query, select: [...reportFields, "duration"] }),
  };
}

interface CountRow {
  readonly report: string;
  readonly status: string;
  readonly count: number;
}

/** Counts the events of reports by status. @returns counts by hash; undefined while they are on their way */
function useEventCounts(reports: readonly ReportsRow[]): (hash: string) => EventCounts | undefined {
  const known = useRef(new Map<string, Record<string, number>>());
  const hashes = reports.map(({ hash }) => hash);
  const loaded = useQuery<CountRow>(
    hashes.length === 0
      ? undefined
      : {
          name: "Events of the reports shown",
          pql: query("events", {
            select: ["report", "status", "count()"],
            where: `report in [${hashes.map((hash) => literal(hash)).join(", ")}]`,
            groupBy: ["report", "status"],
          }),
        },
  );
  if (!loaded.isLoading && loaded.value !== undefined) remember(known.current, hashes, loaded.value);
  return (hash) => known.current.get(hash);
}

function remember(
  known: Map<string, Record<string, number>>,
  wanted: readonly string[],
  rows: readonly CountRow[],
): void {
  for (const hash of wanted) known.set(hash, {});
  for (const { report, status, count } of rows) {
    const counts = known.get(report);
    if (counts !== undefined) counts[status] = count;
  }
}
