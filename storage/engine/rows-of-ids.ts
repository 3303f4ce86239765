import type { Transaction } from "./transaction.ts";

/*
 * The engine compares a column with one value before it reads the others, and then only the rows that it has found. With several
 * values it compares whole rows, from row groups that have any id between the least and the greatest: of ids that are far apart, all
 * rows of the table (`test/storage/engine/rows-of-ids.test.ts`). So what is found by a few ids is found by one after another.
 */

/** At most how many ids are looked up one after another: about as many as take as long as all rows. */
const FEW = {
  /** in a table of numbers and short texts */
  narrow: 8,
  /** to delete rows, for which no other column is read */
  deleted: 4,
} as const;

/**
 * As {@link FEW}, in a table with texts that take long to decompress, of which each node has hundreds. To look up an id takes at
 * least 0.3 ms; the longer it takes to read all texts, the more ids are worth it. Measured with 50 to 100,000 nodes.
 */
function fewOfWide(nodes: number): number {
  return Math.min(64, Math.max(4, Math.floor(nodes / 250)));
}

/** SQL of whether `column` is one of `ids`. */
export function isOneOf(column: string, ids: readonly number[]): string {
  return `${column} IN (SELECT unnest('[${ids.join(",")}]'::INTEGER[]))`;
}

/**
 * SQL of the rows of a table or view whose `column` is one of `ids`, as a subquery.
 * @param wideOf of a table with long texts, how many nodes have rows in it
 */
export function rowsOfIds(table: string, column: string, ids: readonly number[], wideOf?: number): string {
  return `(${conditionsOf(column, ids, wideOf === undefined ? FEW.narrow : fewOfWide(wideOf))
    .map((condition) => `SELECT * FROM ${table} WHERE ${condition}`)
    .join(" UNION ALL ")})`;
}

/** Deletes the rows of `table` whose `column` is one of `ids`. */
export async function deleteRowsOf(
  tx: Transaction,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const conditions = conditionsOf(column, ids, FEW.deleted);
  await tx.execute(table, conditions.map((condition) => `DELETE FROM ${table} WHERE ${condition}`).join("; "));
}

/** SQL of conditions that together hold for the rows with one of `ids`: for a few, one for each. */
function conditionsOf(column: string, ids: readonly number[], few: number): string[] {
  return ids.length > 0 && ids.length <= few ? ids.map((id) => `${column} = ${id}`) : [isOneOf(column, ids)];
}
