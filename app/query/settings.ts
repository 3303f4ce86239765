import { defaultQueryLimits, type QueryLimits } from "#storage/query/limits.ts";

/** Settings for queries (`reference/config.md`). */
export interface QuerySettings {
  /** Time limit in milliseconds of a query without `timeout`; 0: none. */
  readonly timeoutDefaultMs: number;
  /** Maximum milliseconds of a query's `timeout`; 0: none. */
  readonly timeoutMaxMs: number;
  /** Whether only reports of agents are returned, unless a query mentions their type. */
  readonly agentReportsOnly: boolean;
  /** Whether SQL statements are answered. */
  readonly sql: boolean;
  /** Indent responses to queries without `pretty`. */
  readonly pretty: boolean;
  /** Log each query with its SQL. */
  readonly log: boolean;
  /** Milliseconds after which a query is logged as slow; undefined: never. */
  readonly slowMs: number | undefined;
  /** Compress responses for clients that accept it. */
  readonly gzip: boolean;
  /** Milliseconds after which a client that does not read its response is disconnected. */
  readonly idleMs: number;
  /** Maximum bytes of a query's body, unpacked. */
  readonly bodyMaxSize: number;
  /** Limits of a query's size. */
  readonly limits: QueryLimits;
  /** Maximum milliseconds of matching regular expressions beyond RE2, in one query. */
  readonly patternMs: number;
}

/** Defaults. */
export const defaultQuerySettings: QuerySettings = {
  timeoutDefaultMs: 600_000,
  timeoutMaxMs: 0,
  agentReportsOnly: true,
  sql: false,
  pretty: false,
  log: false,
  slowMs: 10_000,
  gzip: true,
  bodyMaxSize: 16 * 1024 * 1024,
  limits: defaultQueryLimits,
  patternMs: 10_000,
  idleMs: 180_000,
};

/** Queries of PuppetDB's own synchronisation have no other time limit than the one they set. */
const UNLIMITED: ReadonlySet<string> = new Set(["puppet:puppetdb-sync-batch", "puppet:puppetdb-sync-summary"]);

/** Time limit of a query in seconds; 0: none (`reference/query.md §2.1`). */
export function timeLimit(
  { timeout, origin }: { readonly timeout?: number; readonly origin?: string },
  { timeoutDefaultMs, timeoutMaxMs }: QuerySettings,
): number {
  const wanted = timeout ?? timeoutDefaultMs / 1000;
  const most = timeoutMaxMs / 1000;
  if (most === 0 || (origin !== undefined && UNLIMITED.has(origin))) return wanted;
  return wanted === 0 ? most : Math.min(wanted, most);
}
