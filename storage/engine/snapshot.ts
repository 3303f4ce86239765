import type { Reader } from "./reader.ts";
import type { Rows } from "./rows.ts";
import { answerOf, columnsOf, type ReadOptions, rowsOf, type Statement } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";

/** What can be read of one state of the store. */
export interface Snapshot {
  /** Rows of one text each, as the engine produces them; to be read to the end before anything else is asked. */
  answer(statement: Statement): AsyncGenerator<Rows>;
  /** Rows of several texts each, a batch of them at a time, by columns; likewise. It must have a parameter. */
  columns(statement: Statement): AsyncGenerator<readonly Rows[]>;
  /** For small results. */
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
}

/** How a snapshot is read. */
export interface SnapshotOptions extends ReadOptions {
  /** So many may read at the same time, each through a view of its own; default 1. */
  readonly views?: number;
  /** Much is read: memory that the engine has used goes back to the system at the end rather than all along. */
  readonly inBulk?: boolean;
}

/** One state, as several see it that read at the same time. */
export type Views = readonly [Snapshot, ...Snapshot[]];

/** How often connections are brought to one state before one of them has to do. */
const ATTEMPTS = 20;

/**
 * Begins a transaction on each connection, all with the same state.
 * @returns those that have begun: all of them, or one alone where commits come in too often for that
 */
export async function beginTogether(readers: readonly [Reader, ...Reader[]]): Promise<readonly [Reader, ...Reader[]]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const numbers: bigint[] = [];
    for (const reader of readers) numbers.push(await begin(reader));
    // Beginnings and commits are numbered together: between numbers that follow each other nothing was committed.
    if (numbers.every((number, index) => number === (numbers[0] ?? number) + BigInt(index))) return readers;
    await end(readers);
  }
  const [first] = readers;
  await begin(first);
  return [first];
}

/** A transaction's state is that of the moment in which it first asks for anything. */
async function begin({ connection }: Reader): Promise<bigint> {
  await connection.run("BEGIN TRANSACTION READ ONLY");
  const [row] = await rowsOf<{ number: bigint }>(connection, "SELECT txid_current()::BIGINT AS number", []);
  return row?.number ?? 0n;
}

/** Ends what {@link beginTogether} has begun. */
export async function end(readers: readonly Reader[]): Promise<void> {
  for (const { connection } of readers) await connection.run("COMMIT");
}

export function viewOf(reader: Reader, options: ReadOptions): Snapshot {
  return {
    answer: (statement) => answerOf(reader, statement, options),
    columns: (statement) => columnsOf(reader, statement, options),
    rows: (sql, values = []) => rowsOf(reader.connection, sql, values),
  };
}
