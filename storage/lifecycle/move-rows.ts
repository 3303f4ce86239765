import type { Database } from "../engine/database.ts";
import type { RowGroup } from "./row-groups.ts";

/** Rows of a full group. When a transaction adds them, the engine writes them to the file at once, and not to its log. */
const FULL = 122_880;

/** Blocks of 256 KiB of a full group that is moved by one transaction, at most. */
const TOGETHER = 256;

/** How long a transaction that moves a part of a group should take, ms: commands wait for it. */
const STEP = 250;

/** Blocks whose rows are moved by the first of such transactions. */
const FIRST_STEP = 8;

/** Rows that one transaction moves at least: the engine's unit of a scan. */
const LEAST = 2048;

/**
 * Moves the rows of a group to the end of their table, a full group in one transaction, others in short ones; others may write
 * between them. After a checkpoint the rows are in the lowest free blocks of the file, and the old blocks are free. Queries see
 * each row once. No checkpoint comes in between: it would join the rest of the group with other groups, which takes long.
 * @throws the signal's reason between two transactions; what is moved remains
 */
export async function moveRows(database: Database, group: RowGroup, signal: AbortSignal): Promise<void> {
  const { first, rows, blocks } = group;
  const end = first + rows;
  const isTogether = blocks <= TOGETHER && (await isFull(database, group));
  let size = isTogether ? rows : Math.ceil((rows * FIRST_STEP) / Math.max(1, blocks));
  await database.postponingCheckpoints(async () => {
    let from = first;
    while (from < end) {
      signal.throwIfAborted();
      size = Math.min(end - from, Math.max(LEAST, size));
      const ms = await moveRange(database, group.table, from, size);
      from += size;
      size = Math.round((size * STEP) / ms);
    }
  });
}

/** @returns how long it took, ms, without the wait for other transactions */
async function moveRange(database: Database, table: string, from: number, rows: number): Promise<number> {
  const range = [BigInt(from), BigInt(from + rows - 1)];
  let began = 0;
  await database.transaction(async (tx) => {
    began = performance.now();
    await tx.execute(`INSERT INTO "${table}" SELECT * FROM "${table}" WHERE rowid BETWEEN $1 AND $2`, range);
    await tx.execute(`DELETE FROM "${table}" WHERE rowid BETWEEN $1 AND $2`, range);
  });
  return performance.now() - began;
}

async function isFull(database: Database, { table, first, rows }: RowGroup): Promise<boolean> {
  if (rows < FULL) return false;
  const range = [BigInt(first), BigInt(first + rows - 1)];
  const [row] = await database.rows<{ live: number }>(
    `SELECT count(*)::INTEGER AS live FROM "${table}" WHERE rowid BETWEEN $1 AND $2`,
    range,
  );
  return row?.live === rows;
}
