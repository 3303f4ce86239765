import { jsonTextOf } from "../../query/compile/dialect.ts";

/** A member of a JSON object: its key, SQL of its value's JSON text, and a column without which it is left out. */
export type Pair = readonly [key: string, json: string, needs?: string];

/** A column of JSON texts that are as long as all the rest of a document and more; instead of SQL. */
export interface Long {
  readonly column: string;
}

/** A {@link Pair} whose value may be long. */
export type LongPair = Pair | readonly [key: string, json: Long];

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

/** Ends a document. */
const END = "\n}";

/** SQL of an object's text whose keys stand on lines of their own, with PuppetDB's blanks around the colon. */
export function documentSql(pairs: readonly Pair[]): string {
  return objectText(pairs, lineOf, END);
}

/**
 * The same where values are long: SQL of the texts that it is made of, one behind the other, so that the engine need not copy
 * what is long into one. Those at odd places are the long ones, and may be NULL.
 * @param before what stands before it; SQL
 */
export function documentColumns(pairs: readonly LongPair[], before: readonly string[]): string[] {
  const columns: string[] = [];
  let texts = [...before];
  for (const [index, [key, json, needs]] of pairs.entries()) {
    if (typeof json === "string") {
      texts.push(memberOf(index, lineOf(key), json, needs));
      continue;
    }
    columns.push(`concat(${texts.join(", ")}, '${opening(index, lineOf(key))}')`, json.column);
    texts = [];
  }
  return [...columns, `concat(${[...texts, `'${END}'`].join(", ")})`];
}

/** SQL of an object's text on one line. */
export function objectSql(pairs: readonly Pair[]): string {
  return objectText(pairs, (key) => `"${key}":`, "}");
}

function objectText(pairs: readonly Pair[], head: (key: string) => string, end: string): string {
  return `concat(${pairs.map(([key, json, needs], index) => memberOf(index, head(key), json, needs)).join(", ")}, '${end}')`;
}

function memberOf(index: number, head: string, json: string, needs: string | undefined): string {
  const member = `'${opening(index, head)}', ${json}`;
  return needs === undefined ? member : `CASE WHEN ${needs} IS NULL THEN '' ELSE concat(${member}) END`;
}

/** The first pair is always there. */
function opening(index: number, head: string): string {
  return `${index === 0 ? "{" : ","}${head}`;
}

function lineOf(key: string): string {
  return `\n  "${key}" : `;
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
