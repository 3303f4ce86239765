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

/** A change on its way to those who want to know of it. */
export interface Change extends RowChanges {
  /** The same when it is delivered again. */
  readonly id: string;
  /** Counts the changes of a watch from 1. */
  readonly sequence: number;
  /** When it was found, as a timestamp. */
  readonly time: string;
  readonly query: string;
  /** The server or file. */
  readonly source: string;
}

/** @param about what is known besides the rows */
export function changeOf(changes: RowChanges, about: Omit<Change, "id" | keyof RowChanges>): Change {
  return { id: changeId(about.sequence, changes), ...about, ...changes };
}

/** The change as one JSON text. */
export function changeJson({ added, removed, ...about }: Change): string {
  return `${JSON.stringify(about).slice(0, -1)},"added":[${added.join(",")}],"removed":[${removed.join(",")}]}`;
}
