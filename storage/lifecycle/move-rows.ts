import type { Database } from "../engine/database.ts";
import type { RowGroup } from "./row-groups.ts";

/**
 * Moves the rows of a group to the end of their table in one transaction. After a checkpoint they are in the lowest free blocks of
 * the file, and the old blocks are free. Queries see each row once. A part of a group is not moved: at the next checkpoint the
 * engine would join the rest with other groups, which takes longer.
 */
export async function moveRows(database: Database, { table, first, rows }: RowGroup): Promise<void> {
  const range = [BigInt(first), BigInt(first + rows - 1)];
  await database.transaction(async (tx) => {
    await tx.execute(`INSERT INTO "${table}" SELECT * FROM "${table}" WHERE rowid BETWEEN $1 AND $2`, range);
    await tx.execute(`DELETE FROM "${table}" WHERE rowid BETWEEN $1 AND $2`, range);
  });
}
