import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBPreparedStatement,
  DuckDBType,
  DuckDBValue,
} from "@duckdb/node-api";
import { duckdb } from "./duckdb.ts";
import type { Reader } from "./reader.ts";
import type { RowLayout } from "./row-layout.ts";
import { columnsOfChunk, type Rows, rowsOfChunk } from "./rows.ts";

/** A value for one `$n` of a statement. `bigint` is BIGINT, an array is VARCHAR[], `{ micros }` a TIMESTAMP. */
export type SqlValue = string | number | bigint | boolean | null | readonly string[] | { readonly micros: bigint };

/** One parameterised statement; `$1` is `values[0]`. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** How its columns become texts; absent: its one column is the text. */
  readonly layout?: RowLayout;
}

export interface ReadOptions {
  /** Ends the query: the engine is interrupted and the iteration throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Without values a statement is planned and run in one step, so that nobody's commit can come in between. */
export async function run(connection: DuckDBConnection, sql: string, values: readonly SqlValue[]): Promise<void> {
  const given = values.length === 0 ? undefined : bind(values);
  await connection.run(sql, given?.values, given?.types);
}

export async function* answerOf(
  reader: Reader,
  { sql, values, layout }: Statement,
  { signal }: ReadOptions,
): AsyncGenerator<Rows> {
  // As bytes: a row on its way to a socket need not become a string in between.
  const text = layout === undefined ? `SELECT encode(row) FROM (${sql}) AS answer(row)` : `FROM (${sql})`;
  // A statement needs a parameter to be kept.
  const statement =
    values.length === 0
      ? bound(await reader.prepare(`${text} WHERE $1`), [true])
      : bound(await reader.prepare(text), values);
  for await (const chunk of chunksOf(statement, signal)) {
    const rows = rowsOfChunk(chunk, layout);
    yield rows;
    rows.end();
  }
}

/** Rows of several texts: for each batch of them its columns, which are valid until the next batch is asked for. */
export async function* columnsOf(
  reader: Reader,
  { sql, values }: Statement,
  { signal }: ReadOptions,
): AsyncGenerator<readonly Rows[]> {
  const statement = bound(await reader.prepare(`SELECT encode(COLUMNS(*)) FROM (${sql})`), values);
  for await (const chunk of chunksOf(statement, signal)) {
    const columns = columnsOfChunk(chunk);
    yield columns;
    for (const rows of columns) rows.end();
  }
}

async function* chunksOf(
  statement: DuckDBPreparedStatement,
  signal: AbortSignal | undefined,
): AsyncGenerator<DuckDBDataChunk> {
  const result = await statement.stream();
  for (;;) {
    const chunk = await result.fetchChunk();
    signal?.throwIfAborted();
    if (chunk === null || chunk.rowCount === 0) break;
    yield chunk;
    // Its memory is the engine's own: the collector, which does not see it, would let it lie about.
    chunk.reset();
  }
}

export async function rowsOf<T>(connection: DuckDBConnection, sql: string, values: readonly SqlValue[]): Promise<T[]> {
  const given = values.length === 0 ? undefined : bind(values);
  const result = await connection.runAndReadAll(sql, given?.values, given?.types);
  return result.getRowObjectsJS() as T[];
}

export function bound(statement: DuckDBPreparedStatement, values: readonly SqlValue[]): DuckDBPreparedStatement {
  const given = bind(values);
  statement.bind(given.values, given.types);
  return statement;
}

interface Bound {
  values: DuckDBValue[];
  types: DuckDBType[];
}

function bind(values: readonly SqlValue[]): Bound {
  const { BIGINT, BOOLEAN, DOUBLE, INTEGER, LIST, TIMESTAMP, VARCHAR, DuckDBListValue, DuckDBTimestampValue } =
    duckdb.loaded();
  const bound: Bound = { values: [], types: [] };
  const add = (value: DuckDBValue, type: DuckDBType): void => {
    bound.values.push(value);
    bound.types.push(type);
  };
  for (const value of values) {
    if (value === null || typeof value === "string") add(value, VARCHAR);
    else if (typeof value === "boolean") add(value, BOOLEAN);
    else if (typeof value === "bigint") add(value, BIGINT);
    else if (typeof value === "number") add(value, isInt32(value) ? INTEGER : DOUBLE);
    else if ("micros" in value) add(new DuckDBTimestampValue(value.micros), TIMESTAMP);
    else add(new DuckDBListValue(value), LIST(VARCHAR));
  }
  return bound;
}

function isInt32(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 31;
}
