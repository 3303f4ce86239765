import { defaultQueryLimits, type QueryLimits } from "#storage/query/limits.ts";

/** What a site may set about the answering of queries (`reference/config.md`). */
export interface QuerySettings {
  /** Milliseconds that a query may take which asks for no timeout; 0: as long as it likes. */
  readonly timeoutDefaultMs: number;
  /** Milliseconds that a query may ask for; 0: any. */
  readonly timeoutMaxMs: number;
  /** Reports are those of agents unless a query says something of their type. */
  readonly agentReportsOnly: boolean;
  /** Indent answers to queries that do not say. */
  readonly pretty: boolean;
  /** Log each query with its SQL. */
  readonly log: boolean;
  /** Milliseconds after which a query is worth a line in the log; undefined: none is. */
  readonly slowMs: number | undefined;
  /** Compress answers for clients that ask. */
  readonly gzip: boolean;
  /** Milliseconds after which a client that does not read its answer is cut off. */
  readonly idleMs: number;
  /** Bytes that the body of a query may have, unpacked. */
  readonly bodyMaxSize: number;
  /** What a query may be at most. */
  readonly limits: QueryLimits;
  /** Milliseconds that regular expressions beyond RE2 may take to match, in one query. */
  readonly patternMs: number;
}

/** What holds where nothing is set. */
export const defaultQuerySettings: QuerySettings = {
  timeoutDefaultMs: 600_000,
  timeoutMaxMs: 0,
  agentReportsOnly: true,
  pretty: false,
  log: false,
  slowMs: 10_000,
  gzip: true,
  bodyMaxSize: 16 * 1024 * 1024,
  limits: defaultQueryLimits,
  patternMs: 10_000,
  idleMs: 180_000,
};

/** Queries of PuppetDB's own synchronisation may take as long as they ask for. */
const UNLIMITED: ReadonlySet<string> = new Set(["puppet:puppetdb-sync-batch", "puppet:puppetdb-sync-summary"]);

/** Seconds that a query may take; 0: as long as it likes (`reference/query.md §2.1`). */
export function timeLimit(
  { timeout, origin }: { readonly timeout?: number; readonly origin?: string },
  { timeoutDefaultMs, timeoutMaxMs }: QuerySettings,
): number {
  const wanted = timeout ?? timeoutDefaultMs / 1000;
  const most = timeoutMaxMs / 1000;
  if (most === 0 || (origin !== undefined && UNLIMITED.has(origin))) return wanted;
  return wanted === 0 ? most : Math.min(wanted, most);
}
