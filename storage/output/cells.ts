import { isNumber, isObject, type Json, type JsonObject, numberText, parseJson, stringifyJson } from "../json.ts";

/** A row as an object. Every row of a query is one. */
export function rowObject(text: string): JsonObject {
  const row = parseJson(text);
  return isObject(row) ? row : { value: row };
}

/** The keys of rows, in the order of their first occurrence. */
export function columnsOf(rows: readonly JsonObject[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/**
 * A value in one cell: strings without quotes, null empty, numbers with all their digits, nested values as JSON text.
 */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return isNumber(value) ? numberText(value) : stringifyJson(value);
}
