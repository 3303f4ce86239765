import { jsonTextOf } from "../../query/compile/json-rows.ts";

/**
 * A member of a JSON object: its key, SQL of its value's JSON text, and a column that omits the member where it is
 * NULL.
 */
export type Pair = readonly [key: string, json: string, needs?: string];

/** A column of JSON texts that may be longer than the rest of the document; in place of SQL. */
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

/** SQL of an object's text with one line for each key, and PuppetDB's blanks around the colon. */
export function documentSql(pairs: readonly Pair[]): string {
  return objectText(pairs, lineOf, END);
}

/**
 * The same for long values: SQL of the texts of the document in sequence, so that the engine need not copy long values
 * into one text. Those at odd positions are the long values, and may be NULL.
 * @param before SQL of the text before the document
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

/** The first pair is never omitted. */
function opening(index: number, head: string): string {
  return `${index === 0 ? "{" : ","}${head}`;
}

function lineOf(key: string): string {
  return `\n  "${key}" : `;
}

/** The text between two elements, which have one line each. */
export const BETWEEN_LINES = ",\n    ";

/** SQL that joins the elements of the rows of a group into one text, one line each. */
export function linesSql(element: string): string {
  return `string_agg(${element}, '${BETWEEN_LINES}')`;
}

/** SQL of the text of {@link linesSql} in brackets; for NULL, empty brackets. */
export function bracketed(lines: string, brackets: "[]" | "{}"): string {
  const [open, close] = brackets;
  return `CASE WHEN ${lines} IS NULL THEN '${open} ${close}' ELSE concat('${open}\n    ', ${lines}, '\n  ${close}') END`;
}
