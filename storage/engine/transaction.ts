import type { DuckDBConnection } from "@duckdb/node-api";
import { Appender, type ChunkPool } from "./appender.ts";
import { allRows, run } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";
import { alteredTables, type TableVersions } from "./table-versions.ts";

/** Operations inside a transaction. */
export interface Transaction {
  execute(sql: string, values?: readonly SqlValue[]): Promise<void>;
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** Opens `table` for appending; the caller closes it before the transaction ends. */
  appender(table: string): Promise<Appender>;
  /** Runs a statement without values as the last of the transaction, after those passed before. */
  atEnd(sql: string): void;
}

const BEGIN = "BEGIN TRANSACTION";

/**
 * A transaction that calls the engine as rarely as possible: each call costs two thread switches, which on a busy
 * machine take longer than a small statement. It begins with its first statement and is committed with its last.
 */
export class OpenTransaction implements Transaction {
  readonly #connection: DuckDBConnection;
  readonly #chunks: ChunkPool;
  readonly #versions: TableVersions;
  readonly #last: string[] = [];
  readonly #appended = new Set<string>();
  readonly #altered = new Set<string>();
  #isBegun = false;

  constructor(connection: DuckDBConnection, chunks: ChunkPool, versions: TableVersions) {
    this.#connection = connection;
    this.#chunks = chunks;
    this.#versions = versions;
  }

  /** To be called when it is committed or rolled back. */
  ended(): void {
    this.#versions.ended({ appended: this.#appended, altered: this.#altered });
  }

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    this.#note(sql);
    // Only a statement without values can share a call with another.
    if (values.length > 0) await this.#begin();
    await run(this.#connection, [...this.#beginning(), sql].join("; "), values);
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    this.#note(sql);
    await this.#begin();
    return allRows(this.#connection, sql, values);
  }

  async appender(table: string): Promise<Appender> {
    this.#appended.add(table);
    await this.#begin();
    return Appender.open(this.#connection, table, this.#chunks);
  }

  atEnd(sql: string): void {
    this.#note(sql);
    this.#last.push(sql);
  }

  async commit(): Promise<void> {
    if (!this.#isBegun && this.#last.length === 0) return;
    this.#versions.committing({ appended: this.#appended, altered: this.#altered });
    await run(this.#connection, [...this.#beginning(), ...this.#last, "COMMIT"].join("; "), []);
  }

  async rollback(): Promise<void> {
    if (this.#isBegun) await this.#connection.run("ROLLBACK");
  }

  #note(sql: string): void {
    for (const table of alteredTables(sql)) {
      if (this.#altered.has(table)) continue;
      this.#altered.add(table);
      this.#versions.altering(table);
    }
  }

  async #begin(): Promise<void> {
    const [statement] = this.#beginning();
    if (statement !== undefined) await this.#connection.run(statement);
  }

  /** Statements to run before the next one. */
  #beginning(): readonly string[] {
    if (this.#isBegun) return [];
    this.#isBegun = true;
    return [BEGIN];
  }
}
