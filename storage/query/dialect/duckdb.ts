import type { Regex } from "../../postgres/regex.ts";
import { toCharSql } from "../../postgres/to-char.ts";
import type { Aggregates, Bind, Dialect, Lists, SqlType, Tables, Texts, Times, Values } from "./dialect.ts";
import { json } from "./duckdb-json.ts";

/** Functions that begin with `census_` are our own (`storage/engine/functions.ts`). */

const types: Readonly<Record<SqlType, string>> = {
  text: "VARCHAR",
  boolean: "BOOLEAN",
  integer: "BIGINT",
  "large integer": "HUGEINT",
  double: "DOUBLE",
  time: "TIMESTAMP",
};

const values: Values = {
  cast: (value, type) => `${value}::${types[type]}`,
  castOrNull: (value, type) => `TRY_CAST(${value} AS ${types[type]})`,
  choice: (condition, yes, no) => `if(${condition}, ${yes}, ${no})`,
  error: (message) => `error(${message})`,
  quotient: (dividend, divisor) => `${dividend} // ${divisor}`,
  hash: (...of) => `hash(${of.join(", ")})`,
};

/** In place of hexadecimal digits: characters that nobody searches for. */
const DIGITS = Array.from({ length: 16 }, (_, digit) => String.fromCodePoint(0xe000 + digit)).join("");

const texts: Texts = {
  contains: (text, part) => `contains(${text}, ${part})`,
  startsWith: (text, begin) => `starts_with(${text}, ${begin})`,
  matches,
  bytes: (text) => `strlen(${text})`,
  identity: (text) => `translate(md5(${text}), '0123456789abcdef', '${DIGITS}')`,
  numeric: (text) => `census_numeric(${text})`,
  number: (number, mask) => `census_number_text(${number}, ${mask})`,
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

const times: Times = {
  iso: (time) => `strftime(${time}, '%Y-%m-%dT%H:%M:%S.%gZ')`,
  json: (time) => `strftime(${time}, '"%Y-%m-%dT%H:%M:%S.%gZ"')`,
  withZone: (time) =>
    `strftime(${time}, '%Y-%m-%dT%H:%M:%S') || rtrim(rtrim(strftime(${time}, '.%f'), '0'), '.') || '+00:00'`,
  masked: (time, mask, bind) => toCharSql(mask, time, bind),
  micros: (time) => `epoch_us(${time})`,
  inMilliseconds: (time) => `date_trunc('millisecond', ${time})`,
};

const lists: Lists = {
  of: (...elements) => `[${elements.join(", ")}]`,
  ofJson: (text, type) => `${text}::JSON::${types[type]}[]`,
  rows: (list) => `unnest(${list})`,
  differentRows: (list) => `unnest(CASE WHEN len(${list}) > 0 THEN list_distinct(${list}) ELSE [NULL] END)`,
  timeRows: (micros) => `make_timestamp(unnest(${micros}))`,
  length: (list) => `len(${list})`,
  element: (list, place) => `${list}[${place}]`,
  has: (list, element) => `list_contains(${list}, ${element})`,
  some: (list, condition) => `len(list_filter(${list}, lambda x: ${condition("x")})) > 0`,
  concatenated: (one, other) => `list_concat(${one}, ${other})`,
  joined: (list, separator) => `array_to_string(${list}, ${separator})`,
  orNull: (list) => `nullif(${list}, [])`,
};

const aggregates: Aggregates = {
  any: (value) => `any_value(${value})`,
  some: (condition) => `bool_or(${condition})`,
  least: (value, key) => `arg_min(${value}, ${key})`,
  greatest: (value, key) => `arg_max(${value}, ${key})`,
  joined: (text, separator, order) => `string_agg(${text}, ${separator}${ordered(order)})`,
  list: (value, order) => `list(${value}${ordered(order)})`,
  sum: exactSum,
  average: (sum, count) => `census_average(${sum}, ${count})`,
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

const tables: Tables = {
  rowNumber: (alias) => (alias === undefined ? "rowid" : `${alias}.rowid`),
  once: (name, select) => `${name} AS MATERIALIZED (${select})`,
  inPlace: (name, select) => `${name} AS NOT MATERIALIZED (${select})`,
  columnsWith: (changed, alias) => `${alias === undefined ? "*" : `${alias}.*`} REPLACE (${changed.join(", ")})`,
  // The engine reads all columns of a block of rows before it compares one with a list. It compares one with a value first, and
  // reads the others only beside the rows that it finds.
  rowsWith: (table, column, list, isView) => {
    const select = `SELECT ${isView ? "*" : "rowid, *"} FROM ${table} WHERE ${column}`;
    return `(${list.map((value) => `${select} = ${value}`).join(" UNION ALL ")})`;
  },
};

/** DuckDB's SQL, the only one at present: of the engine that stores are in. */
export const duckdb: Dialect = { values, texts, times, json, lists, aggregates, tables };
