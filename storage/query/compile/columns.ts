import { quotedText } from "../../engine/quoted-text.ts";
import { sortRank } from "../../jsonb/sort-key.ts";
import { clientErrorMark } from "../../engine/client-error-mark.ts";
import type { FieldSql } from "../entities/index.ts";
import { type AggregateName, type Column, type FieldRef, typeOf, type ValueRef } from "../tree.ts";
import { jsonTextOf, jsonValueOf } from "./json-rows.ts";
import type { Scope } from "./scope.ts";
import { sortKeyOf, valueSql } from "./values.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** A column as SQL: what the inner SELECT returns, and how the outer SELECT makes JSON text of it. */
export interface ColumnSql {
  readonly value: string;
  json(alias: string): string;
  /** Its value, where the engine's `json_object` writes that value correctly. */
  plain?(alias: string): string | undefined;
  /** A join in the outer SELECT that the JSON text needs. */
  join?(alias: string): string;
  /** SQL for GROUP BY and for the check of grouped columns. */
  readonly group: string;
}

/**
 * Whether rows are grouped: then values that are grouped by their sort key must be picked from a group, and groups
 * ordered.
 */
export type Grouping = "none" | "groups" | "ordered groups";

export function columnSql(scope: Scope, column: Column, grouping: Grouping): ColumnSql {
  switch (column.kind) {
    case "field":
      return fieldColumn(scope, column.ref, grouping);
    case "part": {
      const value = valueSql(scope, column.ref);
      return { value, group: value, json: textOrNull };
    }
    case "to_string": {
      const value = toStringSql(scope, column.ref, column.mask);
      return { value, group: value, json: (alias) => jsonTextOf("string", alias), plain: (alias) => alias };
    }
    case "aggregate":
      return aggregateColumn(scope, column.fn, column.ref);
  }
}

/**
 * SQL that rows are ordered by.
 * @param isGrouped a field may be grouped by another expression than it is ordered by; within a group both have one value
 */
export function orderSql(scope: Scope, column: Column, isGrouped: boolean): string {
  if (column.kind === "aggregate") {
    const { value } = aggregateColumn(scope, column.fn, column.ref);
    return isJsonNumber(column) ? duckdb.json.orderKey(duckdb.values.cast(value, "text")) : value;
  }
  const key = column.kind === "to_string" ? toStringSql(scope, column.ref, column.mask) : sortKeyOf(scope, column.ref);
  return isGrouped ? duckdb.aggregates.any(key) : key;
}

/** Whether the result of a function is the text of a number. */
function isJsonNumber({ fn, ref }: Extract<Column, { kind: "aggregate" }>): boolean {
  return ref !== null && fn !== "count" && (fn === "avg" || typeOf(ref) === "json");
}

function toStringSql(scope: Scope, ref: ValueRef, mask: string): string {
  const { texts, times, values } = duckdb;
  if (typeOf(ref) !== "json") {
    const sql = valueSql(scope, ref);
    if (typeOf(ref) === "timestamp") return times.masked(sql, mask, (text) => scope.value(text));
    return texts.number(values.cast(sql, "text"), scope.value(mask));
  }
  const { number, isNone } = castToNumber(scope, ref);
  const failed = values.error(quotedText(notNumbersText("to_string", ref)));
  return `CASE WHEN ${isNone} THEN ${failed} ELSE ${texts.number(number, scope.value(mask))} END`;
}

/** A JSON value as PostgreSQL casts it to a number. */
interface CastToNumber {
  /** The JSON text of a number, or of the number that a string is; NULL for any other value. */
  readonly number: string;
  /** A key by which the numbers are ordered. */
  readonly key: string;
  /** Whether the value is neither null nor a number; the cast fails then. */
  readonly isNone: string;
}

/** The cast of `(value #>> '{}')::numeric`. */
function castToNumber(scope: Scope, ref: ValueRef): CastToNumber {
  const { json, texts, values } = duckdb;
  const value = valueSql(scope, ref);
  const stored = sortKeyOf(scope, ref);
  const rank = `left(${stored}, 1)`;
  const ofString = texts.numeric(json.string(value));
  const cast = (ofNumber: string, read: string): string =>
    `CASE ${rank} WHEN '${sortRank.number}' THEN ${ofNumber} WHEN '${sortRank.string}' THEN ${read} END`;
  const number = cast(values.cast(value, "text"), ofString);
  return {
    number,
    key: cast(stored, json.orderKey(ofString)),
    isNone: `${rank} <> '${sortRank.null}' AND ${number} IS NULL`,
  };
}

/** The message about values that are not numbers. */
function notNumbersText(fn: string, { name }: ValueRef): string {
  return `${clientErrorMark}${fn} takes numbers, and some values of "${name}" are not numbers; add ["=", ["function", "jsonb_typeof", "${name}"], "number"] to the filter`;
}

function fieldColumn(scope: Scope, ref: FieldRef, grouping: Grouping): ColumnSql {
  const { field } = ref;
  const group = field.type === "json" ? sortKeyOf(scope, ref) : undefined;
  if (group !== undefined && grouping === "groups") {
    const picked = pickedColumn(scope, field.sql, group);
    if (picked !== undefined) return picked;
  }
  const sql = scope.use(field.json ?? field.sql);
  const type = field.json === undefined ? field.type : "expanded";
  return {
    value: grouping !== "none" && group !== undefined ? duckdb.aggregates.any(sql) : sql,
    group: group ?? sql,
    json: (alias) => jsonTextOf(type, alias, field),
    plain: (alias) => (field.serialized === true ? undefined : jsonValueOf(type, alias)),
  };
}

/** The value in any row of a group, read after the groups are known, so that only sort keys are read for all rows. */
function pickedColumn({ entity }: Scope, of: FieldSql, group: string): ColumnSql | undefined {
  const { isView } = entity;
  const { rows, alias } = entity.from;
  if (isView === true || !("stored" in rows) || "expression" in of || of.table !== alias) return undefined;
  const [table, column] = [rows.stored, of.column];
  return {
    value: `min(${duckdb.tables.rowNumber(alias)})`,
    group,
    join: (place) => `LEFT JOIN ${table} of_${place} ON ${duckdb.tables.rowNumber(`of_${place}`)} = ${place}`,
    json: (place) => jsonTextOf("json", `of_${place}.${column}`),
  };
}

function aggregateColumn(scope: Scope, fn: AggregateName, ref: ValueRef | null): ColumnSql {
  const { aggregates, values } = duckdb;
  if (ref === null) return counted("count(*)");
  if (fn !== "count" && typeOf(ref) === "json") return computed(jsonAggregate(scope, fn, ref), textOrNull);
  const sql = valueSql(scope, ref);
  if (fn === "count") return counted(`count(${sql})`);
  if (fn === "avg") {
    const [sum, count] = [values.cast(`sum(${sql})`, "text"), values.cast(`count(${sql})`, "text")];
    return computed(aggregates.average(sum, count), textOrNull);
  }
  const type = fn === "min" || fn === "max" ? typeOf(ref) : "numeric";
  return computed(`${fn}(${sql})`, (alias) => jsonTextOf(type, alias));
}

function counted(value: string): ColumnSql {
  return { ...computed(value, textOrNull), plain: (alias) => alias };
}

function computed(value: string, json: (alias: string) => string): ColumnSql {
  return { value, json, group: value };
}

function textOrNull(alias: string): string {
  return `coalesce(${duckdb.values.cast(alias, "text")}, 'null')`;
}

/**
 * Aggregates of JSON values, which are cast to numbers, null ignored; a group with a value that is none is an error, as in
 * PuppetDB's database (`reference/query.md §6`).
 */
function jsonAggregate(scope: Scope, fn: Exclude<AggregateName, "count">, ref: ValueRef): string {
  const { aggregates, values } = duckdb;
  const { number, key, isNone } = castToNumber(scope, ref);
  const results: Readonly<Record<Exclude<AggregateName, "count">, () => string>> = {
    min: () => aggregates.least(number, key),
    max: () => aggregates.greatest(number, key),
    avg: () => aggregates.average(aggregates.sum(number), values.cast(`count(${number})`, "text")),
    sum: () => aggregates.sum(number),
  };
  const failed = values.error(quotedText(notNumbersText(fn, ref)));
  return `CASE WHEN count(*) FILTER (WHERE ${isNone}) > 0 THEN ${failed} ELSE ${results[fn]()} END`;
}
