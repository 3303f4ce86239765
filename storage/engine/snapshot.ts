import type { Reader } from "./reader.ts";
import type { Rows } from "./rows.ts";
import { streamInTransaction, streamColumns, type ReadOptions, allRows, type Statement } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";

/** What can be read of one state of the store. */
export interface Snapshot {
  /** Rows of one text each, as the engine produces them; must be read to the end before the next statement. */
  stream(statement: Statement): AsyncGenerator<Rows>;
  /** Rows of several texts each, in batches of columns; likewise. The statement must have a parameter. */
  columns(statement: Statement): AsyncGenerator<readonly Rows[]>;
  /** For small results. */
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
}

/** How a snapshot is read. */
export interface SnapshotOptions extends ReadOptions {
  /** The number of views that can be read in parallel; default 1. */
  readonly views?: number;
  /** For long texts: memory that the engine has used returns to the system at the end rather than continuously. */
  readonly freesAtEnd?: boolean;
  /** For large amounts: likewise, and little of the file stays in memory. */
  readonly inBulk?: boolean;
}

/** Views of one state, for parallel reading. */
export type Views = readonly [Snapshot, ...Snapshot[]];

/**
 * Begins a transaction on each connection, all with the same state.
 * @returns all connections, or one where commits are too frequent for that
 */
export async function beginTogether(readers: readonly [Reader, ...Reader[]]): Promise<readonly [Reader, ...Reader[]]> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const numbers: bigint[] = [];
    for (const reader of readers) numbers.push(await begin(reader));
    // Transactions and commits are numbered together: between consecutive numbers nothing was committed.
    if (numbers.every((number, index) => number === (numbers[0] ?? number) + BigInt(index))) return readers;
    await end(readers);
  }
  const [first] = readers;
  await begin(first);
  return [first];
}

/** A transaction's state is that of its first statement. */
async function begin({ connection }: Reader): Promise<bigint> {
  await connection.run("BEGIN TRANSACTION READ ONLY");
  const [row] = await allRows<{ number: bigint }>(connection, "SELECT txid_current()::BIGINT AS number", []);
  return row?.number ?? 0n;
}

/** Ends the transactions of {@link beginTogether}. */
export async function end(readers: readonly Reader[]): Promise<void> {
  for (const { connection } of readers) await connection.run("COMMIT");
}

export function viewOf(reader: Reader, options: ReadOptions): Snapshot {
  return {
    stream: (statement) => streamInTransaction(reader, statement, options),
    columns: (statement) => streamColumns(reader, statement, options),
    rows: (sql, values = []) => allRows(reader.connection, sql, values),
  };
}
