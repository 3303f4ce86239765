import type { Transaction } from "./transaction.ts";

/** Deletes the rows of `table` whose `column` is one of `ids`. */
export async function deleteRowsOf(
  tx: Transaction,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(`DELETE FROM ${table} WHERE ${column} IN (SELECT unnest('[${ids.join(",")}]'::INTEGER[]))`);
}
