import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import type { Rows } from "../output/rows.ts";

/** Options of one query. */
export interface QueryOptions {
  /** Cancels the query: the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Return one row with the query plan, like `explain=analyze` of the query API. */
  readonly explain?: boolean;
}

interface Open {
  /** Its name in messages. */
  readonly name: string;
  /**
   * Runs a query and waits for its result to start.
   * @param query PQL or AST as text, or AST
   * @returns rows as JSON texts; leaving the iteration cancels the query
   * @throws CensusError "bad-input" when the query is invalid
   */
  query(query: string | Json, options?: QueryOptions): Promise<Rows>;
  close(): Promise<void>;
}

/** A source on this machine, open for reading. */
export interface LocalSource extends Open {
  readonly kind: "archive" | "data";
  readonly store: Store;
}

/** A server, Census or PuppetDB. */
export interface ServerSource extends Open {
  readonly kind: "url";
}

/** A source of query results. Whoever opens it closes it. */
export type OpenSource = LocalSource | ServerSource;
