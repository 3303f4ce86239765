import type { Regex } from "../../postgres/regex/regex-of-engine.ts";
import { toCharSql } from "../../postgres/to-char.ts";
import { json } from "./duckdb-json.ts";
import type { Bind, SqlType } from "./types.ts";

/** Functions that begin with `census_` are our own (`storage/engine/functions.ts`). */

const types: Readonly<Record<SqlType, string>> = {
  text: "VARCHAR",
  boolean: "BOOLEAN",
  integer: "BIGINT",
  "large integer": "HUGEINT",
  double: "DOUBLE",
  time: "TIMESTAMP",
};

/** Values of any type. */
const values = {
  cast: (value: string, type: SqlType): string => `${value}::${types[type]}`,
  /** NULL where the value is no value of the type. */
  castOrNull: (value: string, type: SqlType): string => `TRY_CAST(${value} AS ${types[type]})`,
  choice: (condition: string, yes: string, no: string): string => `if(${condition}, ${yes}, ${no})`,
  /** Ends the statement with an error. */
  error: (message: string): string => `error(${message})`,
  /** The quotient of two integers, without its fraction. */
  quotient: (dividend: string, divisor: string): string => `${dividend} // ${divisor}`,
  /** A number of 64 bits that is the same for the same values. */
  hash: (...of: readonly string[]): string => `hash(${of.join(", ")})`,
};

/** In place of hexadecimal digits: characters that nobody searches for. */
const DIGITS = Array.from({ length: 16 }, (_, digit) => String.fromCodePoint(0xe000 + digit)).join("");

const texts = {
  contains: (text: string, part: string): string => `contains(${text}, ${part})`,
  startsWith: (text: string, begin: string): string => `starts_with(${text}, ${begin})`,
  /** Whether a regular expression matches somewhere in a text. */
  matches,
  /** The length in bytes of UTF-8. */
  bytes: (text: string): string => `strlen(${text})`,
  /** A short text that differs between different texts, of characters that nobody searches for. */
  identity: (text: string): string => `translate(md5(${text}), '0123456789abcdef', '${DIGITS}')`,
  /** The number that a text is for PostgreSQL's `numeric`, as a text in JSON's spelling; NULL where it is none. */
  numeric: (text: string): string => `census_numeric(${text})`,
  /** The text of a number by a mask of `to_char`. Fails for a mask that is none. */
  number: (number: string, mask: string): string => `census_number_text(${number}, ${mask})`,
};

/** By RE2 inside the engine if possible, by our own function where the pattern needs more. */
function matches(text: string, regex: Regex, bind: Bind): string {
  if (regex.engine === "re2") return `regexp_matches(${text}, ${bind(unoptimizedPattern(regex.pattern))})`;
  return `census_regexp(${text}, ${bind({ regexp: regex.regexp })})`;
}

/**
 * DuckDB turns a plain pattern into a search for a text, which is fast, but drops anchors in its middle and everything
 * before an empty group. It does not do so for a repetition, and repeating a whole pattern does not change where it
 * matches.
 */
function unoptimizedPattern(pattern: string): string {
  return /.\\A|\\z.|\(\?:\)/s.test(pattern) ? `(?:${pattern})+` : pattern;
}

const times = {
  /** The text of a time, as in `2026-11-20T12:00:00.000Z`. */
  iso: (time: string): string => `strftime(${time}, '%Y-%m-%dT%H:%M:%S.%gZ')`,
  /** The JSON text of that. */
  json: (time: string): string => `strftime(${time}, '"%Y-%m-%dT%H:%M:%S.%gZ"')`,
  /** With a zone, and a fraction of up to six digits only where there is one: `2026-11-20T12:00:00.5+00:00`. */
  withZone: (time: string): string =>
    `strftime(${time}, '%Y-%m-%dT%H:%M:%S') || rtrim(rtrim(strftime(${time}, '.%f'), '0'), '.') || '+00:00'`,
  /** By a mask of `to_char`. */
  masked: (time: string, mask: string, bind: Bind): string => toCharSql(mask, time, bind),
  /** Microseconds since the epoch. */
  micros: (time: string): string => `epoch_us(${time})`,
  inMilliseconds: (time: string): string => `date_trunc('millisecond', ${time})`,
};

/** Lists, most of them of texts. Places are counted from 1. */
const lists = {
  of: (...elements: readonly string[]): string => `[${elements.join(", ")}]`,
  /** A list that is bound as the text of a JSON array: one text is bound in a tenth of the time of as many values. */
  ofJson: (text: string, type: SqlType): string => `${text}::JSON::${types[type]}[]`,
  /** A column of a SELECT: a row for each element. */
  rows: (list: string): string => `unnest(${list})`,
  /** The same for different elements; a list without elements, and NULL, are one row with NULL. */
  differentRows: (list: string): string =>
    `unnest(CASE WHEN len(${list}) > 0 THEN list_distinct(${list}) ELSE [NULL] END)`,
  /** A row for each time of a list of microseconds since the epoch. */
  timeRows: (micros: string): string => `make_timestamp(unnest(${micros}))`,
  length: (list: string): string => `len(${list})`,
  element: (list: string, place: number): string => `${list}[${place}]`,
  has: (list: string, element: string): string => `list_contains(${list}, ${element})`,
  /** Whether an element meets a condition; NULL of NULL. */
  some: (list: string, condition: (element: string) => string): string =>
    `len(list_filter(${list}, lambda x: ${condition("x")})) > 0`,
  concatenated: (one: string, other: string): string => `list_concat(${one}, ${other})`,
  /** @param separator a text of SQL */
  joined: (list: string, separator: string): string => `array_to_string(${list}, ${separator})`,
  /** The list, NULL where it has no elements. */
  orNull: (list: string): string => `nullif(${list}, [])`,
};

/** What a group of rows has in common. */
const aggregates = {
  /** The value of any row that has one. */
  any: (value: string): string => `any_value(${value})`,
  /** Whether a condition is true for a row; NULL where it is NULL for all. */
  some: (condition: string): string => `bool_or(${condition})`,
  /** The value of the row with the least key. */
  least: (value: string, key: string): string => `arg_min(${value}, ${key})`,
  greatest: (value: string, key: string): string => `arg_max(${value}, ${key})`,
  /** The number below which a share of all are, between two neighbours in proportion. */
  quantile: (value: string, share: number): string => `quantile_cont(${value}, ${share})`,
  /** One text of all texts. @param separator a text of SQL */
  joined: (text: string, separator: string, order?: string): string =>
    `string_agg(${text}, ${separator}${ordered(order)})`,
  list: (value: string, order?: string): string => `list(${value}${ordered(order)})`,
  /** The exact sum of JSON texts of numbers as a text; NULL where there are none. */
  sum: exactSum,
  /** The text of an average with PostgreSQL's digits, of two texts. */
  average: (sum: string, count: string): string => `census_average(${sum}, ${count})`,
};

function ordered(order: string | undefined): string {
  return order === undefined ? "" : ` ORDER BY ${order}`;
}

/** Values below this are added by the engine, exactly to twelve places; larger ones are added digit by digit. */
const ADDED_BELOW = "1e20";

function exactSum(numbers: string): string {
  const isSmall = `abs(TRY_CAST(${numbers} AS DOUBLE)) < ${ADDED_BELOW}`;
  const small = `regexp_replace(sum(CASE WHEN ${isSmall} THEN TRY_CAST(${numbers} AS DECIMAL(38, 12)) END)::VARCHAR, '\\.?0+$', '')`;
  const large = `string_agg(${numbers}, ' ') FILTER (WHERE (${isSmall}) IS NOT TRUE)`;
  return `CASE WHEN ${large} IS NULL THEN ${small} ELSE census_sum(coalesce(${small}, '0'), ${large}) END`;
}

const tables = {
  /** A number that finds a row of a stored table, for as long as the statement runs. */
  rowNumber: (alias?: string): string => (alias === undefined ? "rowid" : `${alias}.rowid`),
  /** An item of WITH that is computed once, however often it is read. */
  once: (name: string, select: string): string => `${name} AS MATERIALIZED (${select})`,
  /** An item of WITH that is computed where it is read. */
  inPlace: (name: string, select: string): string => `${name} AS NOT MATERIALIZED (${select})`,
  /** All columns in a SELECT, some of which have another value. @param changed `value AS column` */
  columnsWith: (changed: readonly string[], alias?: string): string =>
    `${alias === undefined ? "*" : `${alias}.*`} REPLACE (${changed.join(", ")})`,
};

/**
 * What DuckDB spells in its own way. Every function makes an expression of others; operands are columns, placeholders, calls, or in
 * brackets.
 */
export const duckdb = { values, texts, times, json, lists, aggregates, tables };
