import { rowObject } from "#storage/output/cells.ts";
import type { Rows } from "./rows.ts";

/** Rows, and after all of them were read: whether they are nothing. */
export interface NotedRows {
  readonly rows: Rows;
  /** Whether there were no rows, or only a count of none. */
  readonly isNothing: () => boolean;
}

/** Notes whether rows are nothing while they are read. */
export function notedRows(rows: Rows): NotedRows {
  let count = 0;
  let first = "";
  async function* noted(): Rows {
    for await (const batch of rows) {
      if (count === 0) first = batch[0] ?? "";
      count += batch.length;
      yield batch;
    }
  }
  return { rows: noted(), isNothing: () => count === 0 || (count === 1 && isCountOfNone(first)) };
}

/** A row with zeros and nulls, as aggregates of no rows are. */
function isCountOfNone(text: string): boolean {
  const values = Object.values(rowObject(text));
  return values.includes(0) && values.every((value) => value === 0 || value === null);
}
