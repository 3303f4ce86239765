import { compareBytewise } from "#storage/bytewise.ts";
import { type Json, type JsonObject, stringifyJson } from "#storage/json.ts";
import { sortKey } from "#storage/jsonb/sort-key.ts";
import { cellText, columnsOf } from "#storage/output/cells.ts";
import { UsageError } from "../errors.ts";
import type { Paging } from "../sources/open-source.ts";

/** The number that `count()` returns. */
export function countOf(row: JsonObject): number {
  return Number(cellText(row["count"]));
}

/** What is said of the count of a query `count()`; undefined where it counts nothing. */
export function remarkOnCount([row]: readonly JsonObject[], remark: (count: number) => string): string | undefined {
  const count = row === undefined ? 0 : countOf(row);
  return count > 0 ? remark(count) : undefined;
}

/** The sum of the counts of rows. */
export function sumOf(rows: readonly JsonObject[]): number {
  return rows.reduce((sum, row) => sum + countOf(row), 0);
}

/** Distinct values of a field. */
export function distinct(rows: readonly JsonObject[], field: string): Json[] {
  return [...new Map(rows.map((row) => [stringifyJson(row[field] ?? null), row[field] ?? null])).values()];
}

/** Rows with the largest numbers first, compared field by field; then by their texts. */
export function largestFirst(rows: readonly JsonObject[], ...fields: readonly string[]): JsonObject[] {
  return rows
    .map((row) => ({ row, numbers: fields.map((field) => Number(cellText(row[field]))), text: stringifyJson(row) }))
    .sort((a, b) => {
      const difference = a.numbers.map((number, index) => (b.numbers[index] ?? 0) - number).find((by) => by !== 0);
      return difference ?? compareBytewise(a.text, b.text);
    })
    .map(({ row }) => row);
}

/**
 * Rows by their columns, as a query orders rows.
 * @throws UsageError for a column that no row has
 */
export function ordered(rows: readonly JsonObject[], orderBy: NonNullable<Paging["orderBy"]>): readonly JsonObject[] {
  if (orderBy.length === 0 || rows.length === 0) return rows;
  const known = columnsOf(rows);
  const unknown = orderBy.find(({ field }) => !known.includes(field));
  if (unknown !== undefined) {
    throw new UsageError(`--order-by: there is no column ${unknown.field}; the columns are ${known.join(", ")}`);
  }
  return rows
    .map((row) => ({ row, keys: orderBy.map(({ field }) => keyOf(row[field] ?? null)) }))
    .sort((a, b) => {
      for (const [index, { descending }] of orderBy.entries()) {
        const by = compareBytewise(a.keys[index] ?? "", b.keys[index] ?? "");
        if (by !== 0) return descending ? -by : by;
      }
      return 0;
    })
    .map(({ row }) => row);
}

/** Null is greater than any value. */
function keyOf(value: Json): string {
  return value === null ? "\u{10ffff}" : sortKey(value);
}
