import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { arrivalOf, refreshes, useIsArriving } from "../data/refreshes.ts";
import type { NamedRequest } from "../data/use-data.ts";
import type { Exported } from "../export/export.ts";
import { queryRequest } from "../data/use-query.ts";
import { query as pqlOf } from "../pql/text.ts";
import { useShownQuery } from "../pql/shown-queries.ts";
import { QueryWindows, windowsOf } from "./query-windows.ts";
import type { RowSource } from "./column.ts";

/** A query whose rows a table shows. */
export interface RowsQuery {
  /** What the rows are, for the list of queries: "Nodes". */
  readonly name: string;
  readonly entity: string;
  readonly select?: readonly string[];
  readonly where?: string | undefined;
  /** `report_timestamp desc`; the last one must make the order unique, or rows change places between windows. */
  readonly orderBy: readonly string[];
  /** Columns of any kind, as facets name fields, by any of which the rows can be ordered; in place of `select`. */
  readonly columns?: readonly string[];
}

/** A source that fetches its rows in windows. */
export interface QuerySource<Row> extends RowSource<Row> {
  /** The fetched windows of which rows are seen: at most two, one of them with an even number. */
  readonly seen: readonly SeenWindow<Row>[];
}

export interface SeenWindow<Row> {
  readonly window: number;
  readonly rows: readonly Row[];
}

/** The query in PQL, without window. */
export function rowsPql({ entity, select = [], where, orderBy }: RowsQuery): string {
  return pqlOf(entity, { select, where, orderBy });
}

/** Which rows of a query are fetched. */
interface Part {
  readonly limit?: number;
  readonly offset?: number;
  readonly includeTotal?: boolean;
}

/** Requests for the rows of a query. Their `pql` is the query, or the nearest to it in PQL. */
function requestsOf(query: RowsQuery): (part: Part) => NamedRequest & { readonly pql: string } {
  const { name, columns } = query;
  if (columns === undefined) return (part) => queryRequest({ name, pql: rowsPql(query), ...part });
  const { pql, table } = exportedRows(query);
  return ({ includeTotal, ...part }) => ({
    name,
    pql: rowsPql({ ...query, orderBy: [] }),
    adds: "which adds columns of other entities, and orders by them",
    path: "/explorer/api/v1/rows",
    parameters: {
      query: pql,
      column: columns,
      sort: table?.sort,
      ...part,
      format: "json",
      include_total: includeTotal,
    },
  });
}

/** The rows as they are exported: the same columns, in the same order. @param columns default: all that are fetched */
export function exportedRows(query: RowsQuery, columns = query.columns): Pick<Exported, "pql" | "table"> {
  if (columns === undefined) return { pql: rowsPql(query) };
  const sort = query.orderBy.map((order) => {
    const [, column = "", descending] = /^(.*?)( desc)?$/.exec(order) ?? [];
    return `${descending === undefined ? "" : "-"}${column}`;
  });
  return { pql: pqlOf(query.entity, { where: query.where }), table: { columns, sort } };
}

/**
 * The rows of a query, fetched in windows of 500 as they are seen. Rows of the query before stay until the first ones arrive.
 * @param query undefined: nothing is fetched (yet)
 */
export function useQuerySource<Row>(query: RowsQuery | undefined): QuerySource<Row> {
  const pql = query === undefined ? undefined : rowsPql(query);
  const requests = query === undefined ? undefined : requestsOf(query);
  const columns = query?.columns?.join();
  const refreshed = refreshes.value;
  const arrived = arrivalOf(requests?.({}));
  const isArriving = useIsArriving(pql);
  const [attempt, retry] = useReducer<number, undefined>((before) => before + 1, 0);
  const [, redraw] = useReducer<number, undefined>((before) => before + 1, 0);
  /** Rows that the table shows, and of which query they are. */
  const seen = useRef({ pql, first: 0, last: 0 });
  if (seen.current.pql !== pql) seen.current = { pql, first: 0, last: 0 };
  const own = useMemo(() => {
    if (requests === undefined) return undefined;
    const window = windowsOf(seen.current.first, seen.current.first)[0] ?? 0;
    return new QueryWindows<Row>(requests, window, () => redraw(undefined));
  }, [pql, columns, refreshed, attempt, arrived]);
  useEffect(() => {
    own?.show(seen.current.first, seen.current.last);
    redraw(undefined);
    return () => own?.close();
  }, [own]);

  const before = useRef<{ windows: QueryWindows<Row>; pql: string | undefined } | undefined>(undefined);
  if (own?.isReady === true) before.current = { windows: own, pql };
  const shown = own === undefined ? undefined : (before.current ?? { windows: own, pql });
  const whole = requests?.({});
  useShownQuery(whole === undefined ? undefined : { adds: undefined, ...whole, ms: own?.ms, rows: own?.count });
  return {
    key: shown?.pql ?? "",
    count: shown?.windows.count,
    row: (index) => shown?.windows.row(index),
    show: (first, last) => {
      // What is seen of the rows before says nothing about these.
      if (shown?.windows !== own) return;
      const before = windowsOf(seen.current.first, seen.current.last);
      seen.current = { pql, first, last };
      own?.show(first, last);
      if (String(before) !== String(windowsOf(first, last))) redraw(undefined);
    },
    seen: shown?.windows.seen(seen.current.first, seen.current.last) ?? [],
    value: shown?.windows.first,
    total: shown?.windows.count,
    error: own?.error,
    isLoading: own !== undefined && (own.isLoading || !own.isReady) && !(isArriving && before.current !== undefined),
    ms: own?.ms,
    pql: whole?.pql,
    reload: () => retry(undefined),
    cancel: () => own?.cancel(),
  };
}
