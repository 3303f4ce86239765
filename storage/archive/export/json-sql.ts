import { jsonTextOf } from "../../query/compile/dialect.ts";

/** A member of a JSON object: its key, SQL of its value's JSON text, and a column without which it is left out. */
export type Pair = readonly [key: string, json: string, needs?: string];

/** SQL of the JSON text of a column, by the column's kind; `null` where it is NULL. */
export const value = {
  text: (column: string): string => jsonTextOf("string", column),
  time: (column: string): string => jsonTextOf("timestamp", column),
  boolean: (column: string): string => jsonTextOf("boolean", column),
  number: (column: string): string => jsonTextOf("numeric", column),
  list: (column: string): string => jsonTextOf("array", column),
  /** JSON text already. */
  json: (column: string): string => jsonTextOf("json", column),
} as const;

/** SQL of an object's text whose keys stand on lines of their own, with the peer's blanks around the colon. */
export function documentSql(pairs: readonly Pair[]): string {
  return objectText(pairs, (key) => `\n  "${key}" : `, "\n}");
}

/** SQL of an object's text on one line. */
export function objectSql(pairs: readonly Pair[]): string {
  return objectText(pairs, (key) => `"${key}":`, "}");
}

/** The first pair is always there. */
function objectText(pairs: readonly Pair[], head: (key: string) => string, end: string): string {
  const parts = pairs.map(([key, json, needs], index) => {
    const member = `'${index === 0 ? "{" : ","}${head(key)}', ${json}`;
    return needs === undefined ? member : `CASE WHEN ${needs} IS NULL THEN '' ELSE concat(${member}) END`;
  });
  return `concat(${parts.join(", ")}, '${end}')`;
}

/** What stands between two elements, which have a line each. */
export const BETWEEN_LINES = ",\n    ";

/** SQL that makes one text of an element of each row of a group, a line for each. */
export function linesSql(element: string): string {
  return `string_agg(${element}, '${BETWEEN_LINES}')`;
}

/** SQL of what {@link linesSql} has made, between brackets; of NULL, nothing between them. */
export function bracketed(lines: string, brackets: "[]" | "{}"): string {
  const [open, close] = brackets;
  return `CASE WHEN ${lines} IS NULL THEN '${open} ${close}' ELSE concat('${open}\n    ', ${lines}, '\n  ${close}') END`;
}
