import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import { bind } from "./bind.ts";
import { duckdb } from "./duckdb.ts";
import { planned } from "./large-statements.ts";
import type { Overlay } from "./overlay.ts";
import { hasPatterns, inPatternTurn, PatternRun } from "./pattern-run.ts";
import type { Reader } from "./reader.ts";
import type { SqlValue } from "./sql-value.ts";
import { columnsOfChunk, type Rows, rowsOfChunk } from "./rows.ts";

/** One parameterised statement; `$1` is `values[0]`. Where it is streamed, its one column is a text. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export interface ReadOptions {
  /** The engine may use more memory than usual, where the process has it. */
  readonly extraMemory?: boolean;
  /** Ends the query: the engine is interrupted and the iteration throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds that patterns beyond RE2 may take to match. */
  readonly patternMs?: number;
  /** What is read in place of some tables; absent: the tables. */
  readonly overlay?: Overlay;
}

/** A statement without values is planned and run in one step, so that no commit can come in between. */
export async function run(connection: DuckDBConnection, sql: string, values: readonly SqlValue[]): Promise<void> {
  const given = values.length === 0 ? undefined : bind(values);
  await connection.run(sql, given?.values, given?.types);
}

/** @param statement has no patterns */
export async function* streamRows(
  reader: Reader,
  { sql, values }: Statement,
  { signal }: ReadOptions,
): AsyncGenerator<Rows> {
  // As bytes, because a row that is sent to a socket need not become a string.
  const text = `SELECT encode(row) FROM (${sql}) AS answer(row)`;
  const [sent, given] = values.length === 0 ? [`${text} WHERE $1`, [true]] : [text, values];
  const result = await planned(text, signal, () =>
    reader.with(sent, given, (statement) => {
      signal?.throwIfAborted();
      return statement.stream();
    }),
  );
  for await (const chunk of chunksOf(reader, result, signal)) {
    const rows = rowsOfChunk(chunk);
    try {
      yield rows;
    } finally {
      rows.end();
    }
  }
}

/** The same for any statement, outside of a transaction, over the connection's overlay if it has one. */
export async function* streamWithPatterns(
  reader: Reader,
  statement: Statement,
  options: ReadOptions,
): AsyncGenerator<Rows> {
  await reader.overlaid?.prepare();
  if (!hasPatterns(statement.values)) return yield* streamRows(reader, statement, options);
  try {
    await reader.connection.run("BEGIN TRANSACTION READ ONLY");
    yield* streamInTransaction(reader, statement, options);
    await reader.connection.run("COMMIT");
  } catch (error) {
    await reader.connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** The same within a transaction: a statement with patterns is run several times over the same state. */
export async function* streamInTransaction(
  reader: Reader,
  statement: Statement,
  options: ReadOptions,
): AsyncGenerator<Rows> {
  const { sql, values } = statement;
  if (!hasPatterns(values)) return yield* streamRows(reader, statement, options);
  const run = new PatternRun(values, options);
  const keyed = run.bound(values);
  try {
    const count = { sql: `SELECT count(*)::VARCHAR FROM (${sql})`, values: keyed };
    await run.matchTexts(async () => {
      for await (const rows of inTurns(streamRows(reader, count, options))) rows.end();
    });
    yield* inTurns(streamRows(reader, { sql, values: keyed }, options));
  } finally {
    run.end();
  }
}

/** Each batch in a turn of its own: other statements read theirs while it is used. */
async function* inTurns(batches: AsyncGenerator<Rows>): AsyncGenerator<Rows> {
  try {
    for (;;) {
      const next = await inPatternTurn(async () => batches.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await batches.return(undefined);
  }
}

/** Rows of several texts in batches of columns, which are valid until the next batch is read. */
export async function* streamColumns(
  reader: Reader,
  { sql, values }: Statement,
  { signal }: ReadOptions,
): AsyncGenerator<readonly Rows[]> {
  const result = await reader.with(`SELECT encode(COLUMNS(*)) FROM (${sql})`, values, (each) => each.stream());
  for await (const chunk of chunksOf(reader, result, signal)) {
    const columns = columnsOfChunk(chunk);
    try {
      yield columns;
    } finally {
      for (const rows of columns) rows.end();
    }
  }
}

/**
 * The chunks of a result. Leaving the iteration early interrupts the statement; then the connection must be closed.
 * @throws Error where the engine could not make all of it, which the binding does not say: such a result ends like any other
 */
export async function* chunksOf(
  reader: Pick<Reader, "interrupt">,
  result: DuckDBResult,
  signal: AbortSignal | undefined,
): AsyncGenerator<DuckDBDataChunk> {
  let isComplete = false;
  try {
    for (;;) {
      const chunk = await result.fetchChunk();
      isComplete = isLast(chunk);
      signal?.throwIfAborted();
      if (chunk === null || isComplete) break;
      try {
        yield chunk;
      } finally {
        // Free the chunk, whose memory the garbage collector does not see, also when the caller leaves early.
        chunk.reset();
      }
    }
    if (result.statementType === duckdb.loaded().StatementType.INVALID) {
      throw new Error("Interrupted, or failed: the engine has not made all of the result");
    }
  } finally {
    if (!isComplete) await endResult(reader, result);
  }
}

function isLast(chunk: DuckDBDataChunk | null): boolean {
  return chunk === null || chunk.rowCount === 0;
}

/**
 * Ends a result that was not read to its end. Only reading it does so: the engine would keep its memory, and the file open after all
 * connections are closed, until the garbage collector finds the result, which looks small to it.
 */
async function endResult(reader: Pick<Reader, "interrupt">, result: DuckDBResult): Promise<void> {
  try {
    do reader.interrupt();
    while (!isLast(await result.fetchChunk()));
  } catch {
    // It is interrupted, or had an error before.
  }
}

export async function allRows<T>(connection: DuckDBConnection, sql: string, values: readonly SqlValue[]): Promise<T[]> {
  const given = values.length === 0 ? undefined : bind(values);
  const result = await connection.runAndReadAll(sql, given?.values, given?.types);
  return result.getRowObjectsJS() as T[];
}

/** The same of a statement that may have patterns. */
export async function rowsWithPatterns<T>(
  reader: Reader,
  sql: string,
  values: readonly SqlValue[],
  options: ReadOptions,
): Promise<T[]> {
  const run = new PatternRun(values, options);
  const keyed = run.bound(values);
  const read = async (): Promise<T[]> => {
    const result = await planned(sql, options.signal, () => reader.with(sql, keyed, (each) => each.runAndReadAll()));
    return result.getRowObjectsJS() as T[];
  };
  try {
    await reader.overlaid?.prepare();
    if (!hasPatterns(values)) return await read();
    const inTurn = async (): Promise<T[]> => inPatternTurn(read);
    await run.matchTexts(inTurn);
    return await inTurn();
  } finally {
    run.end();
  }
}
