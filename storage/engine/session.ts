import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import type { ReadOptions } from "./statements.ts";
import { duckdb } from "./duckdb.ts";
import { jsonWriter } from "./json-values.ts";
import type { Reader } from "./reader.ts";

/** Milliseconds between interruptions of a statement that continues. */
const INTERVAL = 50;

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
  readonly #reader: Reader;
  readonly #connection: DuckDBConnection;

  private constructor(reader: Reader) {
    this.#reader = reader;
    this.#connection = reader.connection;
  }

  /**
   * @param setUp our own statements, run first
   * @param setUp.database the name of the database, for qualified tables
   */
  static async open(reader: Reader, setUp: (database: string) => readonly string[]): Promise<Session> {
    const found = await reader.connection.runAndReadAll("SELECT current_database()");
    const [[database] = []] = found.getRows();
    for (const statement of setUp(String(database))) await reader.connection.run(statement);
    return new Session(reader);
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
    let again: NodeJS.Timeout | undefined;
    // An interruption before the engine has begun has no effect.
    const interrupt = (): void => {
      this.#reader.interrupt();
      again = setInterval(() => this.#reader.interrupt(), INTERVAL);
    };
    signal?.throwIfAborted();
    signal?.addEventListener("abort", interrupt);
    let finished = false;
    try {
      await this.#connection.run("BEGIN TRANSACTION READ ONLY");
      const statement = await this.#connection.prepare(sql);
      signal?.throwIfAborted();
      yield* resultRows(statement, signal);
      finished = true;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", interrupt);
      clearInterval(again);
      if (!finished) this.#reader.interrupt();
      await this.#connection.run("ROLLBACK").catch(() => undefined);
    }
  }

  close(): void {
    this.#reader.close();
  }
}

async function* resultRows(
  statement: DuckDBPreparedStatement,
  signal: AbortSignal | undefined,
): AsyncGenerator<string[]> {
  if (statement.statementType !== duckdb.loaded().StatementType.SELECT) throw new NoSelect();
  const result = await statement.stream();
  const heads = uniqueNames(result.columnNames()).map(
    (name, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
  );
  const writers = result.columnTypes().map(jsonWriter);
  for (;;) {
    const chunk = await result.fetchChunk();
    signal?.throwIfAborted();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk
      .getRows()
      .map((row) => `${heads.map((head, index) => head + (writers[index]?.(row[index] ?? null) ?? "null")).join("")}}`);
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
