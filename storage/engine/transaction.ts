import type { DuckDBConnection } from "@duckdb/node-api";
import { Appender, type ChunkPool } from "./appender.ts";
import { rowsOf, run } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";

/** What can be done inside a transaction. */
export interface Transaction {
  execute(sql: string, values?: readonly SqlValue[]): Promise<void>;
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** Opens `table` for appending; the caller closes it before the transaction ends. */
  appender(table: string): Promise<Appender>;
  /** Has a statement without values executed as the transaction's last, behind those that were handed over before. */
  atEnd(sql: string): void;
}

const BEGIN = "BEGIN TRANSACTION";

/**
 * A transaction that goes to the engine as seldom as it can: each trip costs two changes of threads, which on a busy machine
 * takes longer than a small statement. It begins with its first statement and is committed with its last.
 */
export class OpenTransaction implements Transaction {
  readonly #connection: DuckDBConnection;
  readonly #chunks: ChunkPool;
  readonly #last: string[] = [];
  #isBegun = false;

  constructor(connection: DuckDBConnection, chunks: ChunkPool) {
    this.#connection = connection;
    this.#chunks = chunks;
  }

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    // Only one without values can share its trip.
    if (values.length > 0) await this.#begin();
    await run(this.#connection, [...this.#beginning(), sql].join("; "), values);
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    await this.#begin();
    return rowsOf(this.#connection, sql, values);
  }

  async appender(table: string): Promise<Appender> {
    await this.#begin();
    return Appender.open(this.#connection, table, this.#chunks);
  }

  atEnd(sql: string): void {
    this.#last.push(sql);
  }

  async commit(): Promise<void> {
    if (!this.#isBegun && this.#last.length === 0) return;
    await run(this.#connection, [...this.#beginning(), ...this.#last, "COMMIT"].join("; "), []);
  }

  async rollback(): Promise<void> {
    if (this.#isBegun) await this.#connection.run("ROLLBACK");
  }

  async #begin(): Promise<void> {
    const [statement] = this.#beginning();
    if (statement !== undefined) await this.#connection.run(statement);
  }

  /** What has to come before the next statement. */
  #beginning(): readonly string[] {
    if (this.#isBegun) return [];
    this.#isBegun = true;
    return [BEGIN];
  }
}
