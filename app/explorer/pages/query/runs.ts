import { effect, signal } from "@preact/signals";
import type { Json } from "#storage/json.ts";
import { announce } from "../frame/page.tsx";
import { asOf } from "../data/as-of.ts";
import { type DataRequest, fetchJson, RequestError } from "../data/fetch-json.ts";
import type { QueryLanguage } from "../editor/query-language.ts";
import { columnsOf, type ResultColumn, type ResultRow, resultRows } from "./columns.ts";
import { remember } from "./history.ts";
import { astOf, entityOf, limitOf } from "./format.ts";

/** Rows that are shown at most; all are exported. */
export const MOST_ROWS = 5000;

/** A query as it is sent. */
export interface SentQuery {
  readonly lang: QueryLanguage;
  readonly text: string;
  /** The server's order, for results that are too long to be sorted here. */
  readonly orderBy?: { readonly field: string; readonly order: "asc" | "desc" };
}

/** What came back. */
export interface Result {
  /** The rows as they were sent. */
  readonly body: readonly Json[];
  readonly rows: readonly ResultRow[];
  readonly columns: readonly ResultColumn[];
  readonly entity: string | undefined;
  /** There are more rows than are shown. */
  readonly isCut: boolean;
  /** The server sorts, because there are more rows; it does not sort those of SQL. */
  readonly isSortedByServer: boolean;
  /** All rows, once they were counted. */
  readonly total: number | undefined;
  readonly ms: number;
  /** Of the body, bytes. */
  readonly size: number;
}

/** A query under way, or done. */
export interface Run {
  readonly query: SentQuery;
  /** Since when it runs, by `performance.now()`; undefined when it ended. */
  readonly since: number | undefined;
  /** Of this run, or of the one before while this one is under way. */
  readonly result: Result | undefined;
  readonly error: RequestError | undefined;
}

/** The last run of each tab. They stay while other pages are looked at. */
export const runs = signal<ReadonlyMap<number, Run>>(new Map());

// Results of one time are not shown as those of another.
effect(() => {
  void asOf.value;
  runs.value = new Map();
});

const controllers = new Map<number, AbortController>();

function change(tab: number, run: Run | undefined): void {
  const all = new Map(runs.peek());
  if (run === undefined) all.delete(tab);
  else all.set(tab, run);
  runs.value = all;
}

/** Runs a query in a tab; one that is under way there is aborted. */
export async function start(tab: number, query: SentQuery): Promise<void> {
  controllers.get(tab)?.abort();
  const own = new AbortController();
  controllers.set(tab, own);
  const before = runs.peek().get(tab);
  const isSame = before?.query.text === query.text && before.query.lang === query.lang;
  const shown = isSame ? before.result : undefined;
  change(tab, { query, since: performance.now(), result: shown, error: undefined });
  try {
    const result = await fetchResult(query, own.signal);
    change(tab, { query, since: undefined, result, error: undefined });
    announce(`${result.rows.length.toLocaleString()} rows in ${Math.round(result.ms)} ms`);
    remember({
      lang: query.lang,
      text: query.text,
      at: Date.now(),
      rows: result.rows.length,
      ms: Math.round(result.ms),
    });
    if (result.isCut && query.lang !== "sql") await countAll(tab, query, own.signal);
  } catch (error) {
    if (controllers.get(tab) !== own) return;
    const known = error instanceof RequestError ? error : new RequestError(0, String(error));
    change(tab, { query, since: undefined, result: undefined, error: own.signal.aborted ? undefined : known });
  }
}

/** Stops waiting; the server stops working on it. */
export function cancel(tab: number): void {
  const run = runs.peek().get(tab);
  if (run?.since === undefined) return;
  controllers.get(tab)?.abort();
  change(tab, { ...run, since: undefined, error: undefined });
  announce("Cancelled");
}

/** Forgets the result of a tab. */
export function forget(tab: number): void {
  controllers.get(tab)?.abort();
  controllers.delete(tab);
  change(tab, undefined);
}

/** Aborts all that is under way: the page is left. */
export function cancelAll(): void {
  for (const tab of controllers.keys()) cancel(tab);
}

/** The request of a query, with one row more than are shown unless it has a lower limit itself. */
export function requestOf({ lang, text, orderBy }: SentQuery): DataRequest {
  if (lang === "sql") return { path: "/explorer/api/v1/sql", parameters: { query: text } };
  const own = limitOf(astOf(text, lang));
  return {
    path: "/pdb/query/v4",
    parameters: {
      query: text,
      limit: own === undefined || own > MOST_ROWS ? MOST_ROWS + 1 : undefined,
      order_by: orderBy === undefined ? undefined : JSON.stringify([orderBy]),
    },
  };
}

async function fetchResult(query: SentQuery, signal: AbortSignal): Promise<Result> {
  const { value, ms, size } = await fetchJson(requestOf(query), signal);
  if (!Array.isArray(value)) throw new RequestError(200, "The answer is not a list of rows.");
  const body = value.slice(0, MOST_ROWS);
  const shown = resultRows(body);
  return {
    body,
    rows: shown,
    columns: columnsOf(shown),
    entity: entityOf(astOf(query.text, query.lang)),
    isCut: value.length > MOST_ROWS,
    isSortedByServer: value.length > MOST_ROWS && query.lang !== "sql",
    total: undefined,
    ms,
    size,
  };
}

/** Counts the rows of a result that is too long, after it is shown. */
async function countAll(tab: number, query: SentQuery, signal: AbortSignal): Promise<void> {
  const parameters = { query: query.text, limit: 1, include_total: true };
  const { total } = await fetchJson({ path: "/pdb/query/v4", parameters }, signal).catch(() => ({ total: undefined }));
  const run = runs.peek().get(tab);
  if (total === undefined || signal.aborted || run?.result === undefined || run.query !== query) return;
  const own = limitOf(astOf(query.text, query.lang));
  change(tab, { ...run, result: { ...run.result, total: Math.min(total, own ?? Infinity) } });
}
