import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { rowObject } from "#storage/output/cells.ts";
import type { AboutPage } from "#storage/output/html/page.ts";
import type { RowTexts as Rows } from "#storage/output/row-texts.ts";
import type { Timestamp } from "#storage/time.ts";
import type { TextOutput } from "../stdout.ts";
import type { TerminalLook } from "./terminal.ts";

export type { RowTexts as Rows } from "#storage/output/row-texts.ts";

/** Writes all rows out in one layout, a batch at a time unless it says otherwise. */
export type RowWriter = (rows: Rows, output: TextOutput, options?: WriteOptions) => Promise<void>;

/** Properties of a table for people; other formats do not depend on them. */
export interface WriteOptions {
  /** The terminal; null: a pipe or a file, where values are written as they are. Default: what stdout is. */
  readonly terminal?: TerminalLook | null | undefined;
  /** Whether to colour a table in a pipe. */
  readonly isColoured?: boolean | undefined;
  /** The present time of the data, for ages; called if there are times. Default: no ages. */
  readonly now?: (() => Promise<Timestamp>) | undefined;
  /** The number of rows before limit and offset; default: the written ones. */
  readonly total?: (() => number | undefined) | undefined;
  /** What a page in HTML says about the rows. */
  readonly page?: AboutPage | undefined;
  /** What to do to see all columns; default: `--wide`. */
  readonly toSeeAll?: string | undefined;
  /** Columns of a table on a terminal that matter less in this result than elsewhere. */
  readonly secondary?: readonly string[] | undefined;
  /** Lines that a cell has at most before it is cut. */
  readonly cellLines?: number | undefined;
}

/** All rows, read into memory. */
export async function objectsOf(rows: Rows): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  for await (const batch of rows) for (const text of batch) objects.push(rowObject(text));
  return objects;
}

/** Members of a row in this order; null for one that it does not have. */
export function membersOf(row: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
}

/** Rows that are in memory. */
export async function* rowsOf(objects: readonly JsonObject[]): Rows {
  yield await Promise.resolve(objects.map(stringifyJson));
}
