import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import type { OwnConnection } from "./connections.ts";
import { chunksOf, type ReadOptions } from "./statements.ts";
import { duckdb } from "./duckdb.ts";
import { interruptOn } from "./interrupt.ts";
import { jsonWriter } from "./json-values.ts";
import type { Reader } from "./reader.ts";

/** Rows whose texts are made together. The engine's chunks of 2,048 rows may have documents of hundreds of kilobytes. */
const BATCH = 128;

/** A statement that is not a SELECT. */
export class NoSelect extends Error {
  constructor() {
    super("the statement is not a SELECT");
    this.name = "NoSelect";
  }
}

/**
 * A connection for statements that a user wrote. It is read-only: one SELECT at a time, in a read-only transaction, in
 * an engine that opens no other files.
 */
export class Session {
  readonly #own: OwnConnection;
  readonly #reader: Reader;
  readonly #connection: DuckDBConnection;

  private constructor(own: OwnConnection) {
    this.#own = own;
    this.#reader = own.reader;
    this.#connection = own.reader.connection;
  }

  /**
   * @param setUp our own statements, run first
   * @param setUp.database the name of the database, for qualified tables
   */
  static async open(own: OwnConnection, setUp: (database: string) => readonly string[]): Promise<Session> {
    const { connection } = own.reader;
    try {
      const found = await connection.runAndReadAll("SELECT current_database()");
      const [[database] = []] = found.getRows();
      for (const statement of setUp(String(database))) await connection.run(statement);
      return new Session(own);
    } catch (error) {
      own.release();
      throw own.translate(error);
    }
  }

  /**
   * The syntax tree of statements as JSON, from the engine's own parser: nothing is looked up, planned or run. A
   * statement that is not a SELECT, or cannot be parsed, has `"error": true` in it.
   */
  async syntax(sql: string): Promise<string> {
    const options = "skip_null := true, skip_default := true";
    const query = `SELECT json_serialize_sql($1::VARCHAR, ${options})`;
    const found = await this.#connection.runAndReadAll(query, [sql]);
    return String(found.getRows()[0]?.[0]);
  }

  /** Parses statements to get the engine's error message. @throws the engine's parser error */
  async parse(sql: string): Promise<void> {
    await this.#connection.extractStatements(sql);
  }

  /**
   * Runs one SELECT and yields its rows as JSON texts. Leaving the iteration early interrupts the engine.
   * @throws NoSelect, or the engine's own errors
   */
  async *select(sql: string, { signal }: ReadOptions = {}): AsyncGenerator<string[]> {
    signal?.throwIfAborted();
    const endInterrupting = interruptOn(signal, [this.#reader]);
    try {
      await this.#connection.run("BEGIN TRANSACTION READ ONLY");
      const statement = await this.#connection.prepare(sql);
      signal?.throwIfAborted();
      yield* this.#rowsOf(statement, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#own.translate(error);
    } finally {
      endInterrupting();
      await this.#connection.run("ROLLBACK").catch(() => undefined);
    }
  }

  async *#rowsOf(statement: DuckDBPreparedStatement, signal: AbortSignal | undefined): AsyncGenerator<string[]> {
    if (statement.statementType !== duckdb.loaded().StatementType.SELECT) throw new NoSelect();
    const result = await statement.stream();
    const heads = uniqueNames(result.columnNames()).map(
      (name, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
    );
    const writers = result.columnTypes().map(jsonWriter);
    for await (const chunk of chunksOf(this.#reader, result, signal)) {
      const cellText = (at: number): string => {
        const row = chunk.getRowValues(at);
        return `${heads.map((head, index) => head + (writers[index]?.(row[index] ?? null) ?? "null")).join("")}}`;
      };
      for (let from = 0; from < chunk.rowCount; from += BATCH) {
        yield Array.from({ length: Math.min(BATCH, chunk.rowCount - from) }, (_, index) => cellText(from + index));
        signal?.throwIfAborted();
      }
    }
  }

  close(): void {
    this.#own.release();
  }
}

/** Columns with the same name would overwrite each other in a row, so the later ones get a number. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}
