import type { Transaction } from "../engine/transaction.ts";

/** Neighbouring rows of a table, by the engine's numbers; deleted ones may be among them. */
export interface RowRange {
  readonly table: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Moves rows to the end of their table. After a checkpoint they are in the lowest free blocks of the file, and row groups that have
 * no rows any more are free. Queries see each row once, and answers made before are still right.
 */
export async function moveRows(tx: Transaction, { table, first, last }: RowRange): Promise<void> {
  const range = [BigInt(first), BigInt(last)];
  const moving = tx.changing([]);
  await moving.execute(table, `INSERT INTO "${table}" SELECT * FROM "${table}" WHERE rowid BETWEEN $1 AND $2`, range);
  await moving.execute(table, `DELETE FROM "${table}" WHERE rowid BETWEEN $1 AND $2`, range);
}
