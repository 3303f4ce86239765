import type { Transaction } from "../../engine/transaction.ts";
import { Yielder } from "../yielder.ts";

/** A row's values, in the order of the columns. */
export type Cells = Parameters<Awaited<ReturnType<Transaction["appender"]>>["row"]>;

/** Appends a row for each item. */
export async function append<T>(
  tx: Transaction,
  table: string,
  items: readonly T[],
  cells: (item: T) => readonly Cells[number][],
): Promise<void> {
  if (items.length === 0) return;
  const rows = await tx.appender(table);
  const yielder = new Yielder();
  for (const item of items) {
    rows.row(...cells(item));
    if (yielder.isDue()) await yielder.yield();
  }
  rows.close();
}
