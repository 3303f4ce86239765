import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { DataRequest } from "../data/fetch-json.ts";

/** A query that a panel of the page shows the result of. */
export interface PanelQuery extends DataRequest {
  readonly name: string;
  readonly pql: string;
  /** What an endpoint of the explorer adds to the PQL. */
  readonly adds: string | undefined;
  readonly ms: number | undefined;
  /** Seconds since the response was made, where the data may have changed since. */
  readonly age?: number | undefined;
  readonly rows: number | undefined;
}

/** The queries of the page, by panel in the order in which they appeared. */
export const shownQueries = signal<ReadonlyMap<symbol, PanelQuery>>(new Map());

/** Lists a query while the component is shown. */
export function useShownQuery(query: PanelQuery | undefined): void {
  const key = useMemo(() => Symbol("panel"), []);
  const { name, pql, ms, age, rows } = query ?? {};
  useEffect(() => {
    if (query === undefined) change((queries) => queries.delete(key));
    else change((queries) => queries.set(key, query));
  }, [name, pql, ms, age, rows]);
  useEffect(() => () => change((queries) => queries.delete(key)), []);
}

function change(apply: (queries: Map<symbol, PanelQuery>) => unknown): void {
  const queries = new Map(shownQueries.peek());
  apply(queries);
  shownQueries.value = queries;
}
