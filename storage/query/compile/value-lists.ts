import type { Writer } from "./writer.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** A longer list is passed as one parameter, which the engine splits. */
export const MAX_INLINE_VALUES = 32;

/** SQL of a list of texts. */
export function listSql(writer: Writer, values: readonly string[]): string {
  const text = JSON.stringify(values.map((value) => value.toWellFormed()));
  return duckdb.lists.ofJson(writer.value(text), "text");
}

/** SQL of a list of numbers. @param numbers or their digits */
export function numberListSql(
  writer: Writer,
  numbers: readonly (string | number | bigint)[],
  type: "integer" | "double" = "integer",
): string {
  return duckdb.lists.ofJson(writer.value(`[${numbers.join(",")}]`), type);
}

/** SQL of whether a column is one of these texts. */
export function inListSql(writer: Writer, column: string, values: readonly string[]): string {
  if (values.length === 0) return "false";
  if (values.length > MAX_INLINE_VALUES) {
    return `${column} IN (SELECT ${duckdb.lists.rows(listSql(writer, values))})`;
  }
  return `${column} IN (${values.map((value) => writer.value(value)).join(", ")})`;
}
