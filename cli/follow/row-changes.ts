import { createHash } from "node:crypto";
import { isObject, type Json, parseJson, stringifyJson } from "#storage/json.ts";

/** What came and what went between two results of a query; a row that is there twice may go once. */
export interface RowChanges {
  /** JSON texts. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares rows, as JSON texts, by their values: the order of rows and of keys makes no difference. */
export function rowChanges(before: readonly string[], after: readonly string[]): RowChanges {
  const [old, now] = [groupedRows(before), groupedRows(after)];
  return { added: surplus(now, old), removed: surplus(old, now) };
}

/** The same changes after the same number of changes have the same id, so that a receiver recognises one that comes twice. */
export function changeId(sequence: number, { added, removed }: RowChanges): string {
  const parts = [added, removed].map((rows) => rows.map(comparable).toSorted(byText));
  return createHash("sha256")
    .update(JSON.stringify([sequence, ...parts]))
    .digest("hex")
    .slice(0, 32);
}

function groupedRows(rows: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(rows, comparable);
}

/** Rows of `some` that `others` has fewer of. */
function surplus(
  some: ReadonlyMap<string, readonly string[]>,
  others: ReadonlyMap<string, readonly string[]>,
): string[] {
  return [...some].flatMap(([key, rows]) => rows.slice(others.get(key)?.length ?? 0));
}

function comparable(row: string): string {
  return stringifyJson(withSortedKeys(parseJson(row)));
}

function withSortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted(byText);
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key] ?? null)]));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
