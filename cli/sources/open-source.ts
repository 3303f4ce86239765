import type { SilentAfter } from "#storage/states/node-state.ts";
import type { DocumentKind } from "#storage/archive/document-kinds.ts";
import type { IssueStore } from "#storage/issues/issue-store.ts";
import type { Json } from "#storage/json.ts";
import type { Queries } from "#storage/query/queries.ts";
import type { Store } from "#storage/store.ts";
import type { Timestamp } from "#storage/time.ts";
import type { Rows } from "../output/rows.ts";

/** The part of a result that is wanted; of a query with parts of its own, these count instead. */
export interface Paging {
  readonly orderBy?: readonly { readonly field: string; readonly descending: boolean }[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Options of one query. */
export interface QueryOptions {
  /** Cancels the query: the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Return one row with the query plan, like `explain=analyze` of the query API. */
  readonly explain?: boolean;
  readonly paging?: Paging | undefined;
  /** Count the rows before limit and offset as well. */
  readonly withTotal?: boolean;
}

/** Options of one SQL statement. */
export interface SqlQueryOptions extends Pick<QueryOptions, "signal"> {
  /** Whether to include deactivated and expired nodes; default: no. */
  readonly inactive?: boolean;
}

/** The result of a query. */
export interface Answer {
  /** JSON texts; leaving the iteration cancels the query. */
  readonly rows: Rows;
  /** Rows before limit and offset; undefined unless they were counted. */
  readonly total: number | undefined;
}

interface Open {
  /** Its name in messages. */
  readonly name: string;
  /**
   * Runs a query and waits for its result to start.
   * @param query PQL or AST as text, or AST
   * @throws CensusError "bad-input" when the query is invalid
   */
  query(query: string | Json, options?: QueryOptions): Promise<Answer>;
  /**
   * Runs a SELECT on the views, and waits for its result to start.
   * @throws CensusError "bad-input" when it is invalid, "not-found" with what else to do where a server does not answer SQL
   */
  sql(statement: string, options?: SqlQueryOptions): Promise<Rows>;
  /** The present time of the data: the clock of the store, or of the server. */
  now(): Promise<Timestamp>;
  /** When a node is silent: the setting of a server, else the default. */
  silentAfter(): Promise<SilentAfter>;
  /** The same source with the state of a time. It is closed with this one. */
  at(time: Timestamp): OpenSource;
  close(): Promise<void>;
}

/** A source on this machine, open for reading. */
export interface LocalSource extends Open {
  readonly kind: "archive" | "data";
  /** The store with everything of an archive. */
  whole(): Promise<Store>;
  /**
   * The queries of the state that is read: the present one, or that of a past time.
   * @param kinds of documents of an archive that they read; default: all
   */
  queries(kinds?: Iterable<DocumentKind>): Promise<Queries>;
  /** The issues of that state. */
  issues(): Promise<IssueStore>;
}

/** A server, Census or PuppetDB. */
export interface ServerSource extends Open {
  readonly kind: "url";
  /**
   * Reads an endpoint of the explorer, such as `issues`.
   * @throws CensusError with what else to do where the server has none
   */
  explorer(path: string, parameters: Readonly<Record<string, string | undefined>>): Promise<Json>;
}

/** A source of query results. The caller that opened it closes it. */
export type OpenSource = LocalSource | ServerSource;
