import type { DuckDBConnection } from "@duckdb/node-api";
import { Appender, type ChunkPool } from "./appender.ts";
import { allRows, run } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";
import { type TableChanges, type TableVersions } from "./table-versions.ts";

/** The tables that a statement writes. */
type Written = string | readonly string[];

/** Operations inside a transaction. */
export interface Transaction {
  /** Runs a statement that writes to tables. */
  execute(written: Written, sql: string, values?: readonly SqlValue[]): Promise<void>;
  /** The same, with the rows that it returns. */
  returning<T>(written: Written, sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** Runs a statement that writes nothing. */
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** Opens `table` for appending; the caller closes it before the transaction ends. */
  appender(table: string): Promise<Appender>;
  /** Runs a statement without values as the last of the transaction, after those passed before. */
  atEnd(written: Written, sql: string): void;
  /**
   * The same transaction, for statements that change only some parts of the tables that they write.
   * @param parts as of `TableChanges`
   */
  changing(parts: readonly string[]): Transaction;
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
  /** What was changed of tables of which no statement has changed all. */
  readonly #parts = new Map<string, Set<string>>();
  readonly #whole = new Set<string>();
  #isBegun = false;

  constructor(connection: DuckDBConnection, chunks: ChunkPool, versions: TableVersions) {
    this.#connection = connection;
    this.#chunks = chunks;
    this.#versions = versions;
  }

  /** To be called when it is committed or rolled back. */
  ended(): void {
    this.#versions.ended(this.#changes);
  }

  get #changes(): TableChanges {
    return { appended: this.#appended, altered: this.#altered, parts: this.#parts };
  }

  changing(parts: readonly string[]): Transaction {
    return {
      execute: async (written, sql, values) => this.execute(written, sql, values, parts),
      returning: async (written, sql, values) => this.returning(written, sql, values, parts),
      rows: async (sql, values) => this.rows(sql, values),
      appender: async (table) => this.appender(table, parts),
      atEnd: (written, sql) => this.atEnd(written, sql, parts),
      changing: (other) => this.changing(other),
    };
  }

  async execute(
    written: Written,
    sql: string,
    values: readonly SqlValue[] = [],
    parts?: readonly string[],
  ): Promise<void> {
    this.#note(written, parts);
    // Only a statement without values can share a call with another.
    if (values.length > 0) await this.#begin();
    await run(this.#connection, [...this.#beginning(), sql].join("; "), values);
  }

  async returning<T>(
    written: Written,
    sql: string,
    values?: readonly SqlValue[],
    parts?: readonly string[],
  ): Promise<T[]> {
    this.#note(written, parts);
    return this.rows(sql, values);
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    await this.#begin();
    return allRows(this.#connection, sql, values);
  }

  async appender(table: string, parts?: readonly string[]): Promise<Appender> {
    this.#appended.add(table);
    this.#noteParts(table, parts);
    await this.#begin();
    return Appender.open(this.#connection, table, this.#chunks);
  }

  atEnd(written: Written, sql: string, parts?: readonly string[]): void {
    this.#note(written, parts);
    this.#last.push(sql);
  }

  async commit(): Promise<void> {
    if (!this.#isBegun && this.#last.length === 0) return;
    await run(this.#connection, [...this.#beginning(), ...this.#last, "COMMIT"].join("; "), []);
  }

  async rollback(): Promise<void> {
    if (this.#isBegun) await this.#connection.run("ROLLBACK");
  }

  #note(written: Written, parts?: readonly string[]): void {
    for (const table of typeof written === "string" ? [written] : written) {
      this.#noteParts(table, parts);
      if (this.#altered.has(table)) continue;
      this.#altered.add(table);
      this.#versions.altering(table);
    }
  }

  #noteParts(table: string, parts: readonly string[] | undefined): void {
    if (parts === undefined) {
      this.#whole.add(table);
      this.#parts.delete(table);
    } else if (!this.#whole.has(table)) {
      this.#parts.set(table, new Set([...(this.#parts.get(table) ?? []), ...parts]));
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
