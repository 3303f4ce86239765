import { quotedText } from "../../engine/quoted-text.ts";
import { sortRank } from "../../jsonb/sort-key.ts";
import { clientErrorMark } from "../../engine/client-error-mark.ts";
import type { ValueFormat } from "../../engine/row-layout.ts";
import { toCharSql } from "../../postgres/to-char.ts";
import type { Entity, FieldSql, FieldType } from "../entities/index.ts";
import type { AggregateName, Column, FieldRef } from "../tree.ts";
import { jsonTextOf, jsonValueOf } from "./dialect.ts";
import { partColumn } from "./parts.ts";
import { sortKeyOf } from "./predicates.ts";
import type { Scope } from "./scope.ts";

/** A column as SQL: what the inner SELECT returns, and how the outer SELECT makes JSON text of it. */
export interface ColumnSql {
  readonly value: string;
  json(alias: string): string;
  /** Its value, where the engine's `json_object` writes that value correctly. */
  plain?(alias: string): string | undefined;
  /** How its value is written where rows are formatted outside of the engine; absent: as {@link json} does. */
  readonly as?: ValueFormat;
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
      const value = partColumn(scope, column.ref);
      return { value, group: value, as: "json", json: (alias) => `coalesce(${alias}::VARCHAR, 'null')` };
    }
    case "to_string": {
      const value = toStringSql(scope, column.ref, column.mask);
      return { value, group: value, as: "text", json: (alias) => jsonTextOf("string", alias), plain: (alias) => alias };
    }
    case "aggregate":
      return aggregateColumn(scope, column.fn, column.ref);
  }
}

function toStringSql(scope: Scope, ref: FieldRef, mask: string): string {
  const sql = scope.use(ref.field.sql);
  if (ref.field.type === "timestamp") return toCharSql(mask, sql, (text) => scope.value(text));
  const number = `census_number_text(${sql}::VARCHAR, ${scope.value(mask)})`;
  if (ref.field.type !== "json") return number;
  const rank = `left(${sortKeyOf(scope, ref)}, 1)`;
  const failed = `error(${quotedText(notNumbersText("to_string", ref))})`;
  return `CASE ${rank} WHEN '${sortRank.number}' THEN ${number} WHEN '${sortRank.null}' THEN NULL ELSE ${failed} END`;
}

/** The message about values that are not numbers. */
function notNumbersText(fn: string, { name }: FieldRef): string {
  return `${clientErrorMark}${fn} takes numbers, and some values of "${name}" are not numbers; add ["=", ["function", "jsonb_typeof", "${name}"], "number"] to the filter`;
}

function fieldColumn(scope: Scope, ref: FieldRef, grouping: Grouping): ColumnSql {
  const { field } = ref;
  const group = field.type === "json" ? sortKeyOf(scope, ref) : undefined;
  if (group !== undefined && grouping === "groups") {
    const picked = pickedColumn(scope.entity, field.sql, group);
    if (picked !== undefined) return picked;
  }
  const sql = scope.use(field.json ?? field.sql);
  const type = field.json === undefined ? field.type : "expanded";
  const as = field.serialized === true ? "json" : formatOf(type);
  return {
    value: grouping !== "none" && group !== undefined ? `any_value(${sql})` : sql,
    group: group ?? sql,
    ...(as === undefined ? {} : { as }),
    json: (alias) => jsonTextOf(type, alias, field),
    plain: (alias) => (field.serialized === true ? undefined : jsonValueOf(type, alias)),
  };
}

function formatOf(type: FieldType): ValueFormat | undefined {
  if (type === "string") return "text";
  return type === "json" || type === "document" || type === "expanded" ? "json" : undefined;
}

/** The value in any row of a group, read after the groups are known, so that only sort keys are read for all rows. */
function pickedColumn({ from, isView }: Entity, of: FieldSql, group: string): ColumnSql | undefined {
  const { rows, alias } = from;
  if (isView === true || !("stored" in rows) || "expression" in of || of.table !== alias) return undefined;
  const [table, column] = [rows.stored, of.column];
  return {
    value: `min(${alias}.rowid)`,
    group,
    join: (place) => `LEFT JOIN ${table} of_${place} ON of_${place}.rowid = ${place}`,
    json: (place) => jsonTextOf("json", `of_${place}.${column}`),
  };
}

function aggregateColumn(scope: Scope, fn: AggregateName, ref: FieldRef | null): ColumnSql {
  if (ref === null) return counted("count(*)");
  const sql = scope.use(ref.field.sql);
  if (fn === "count") return counted(`count(${sql})`);
  if (ref.field.type === "json") return computed(jsonAggregate(scope, fn, ref), numberJson);
  if (fn === "avg") return computed(`census_average(sum(${sql})::VARCHAR, count(${sql})::VARCHAR)`, numberJson);
  const type = fn === "min" || fn === "max" ? ref.field.type : "numeric";
  return computed(`${fn}(${sql})`, (alias) => jsonTextOf(type, alias));
}

function counted(value: string): ColumnSql {
  return { ...computed(value, numberJson), as: "number", plain: (alias) => alias };
}

function computed(value: string, json: (alias: string) => string): ColumnSql {
  return { value, json, group: value };
}

function numberJson(alias: string): string {
  return `coalesce(${alias}::VARCHAR, 'null')`;
}

/** Values below this are added by the engine, exactly to twelve places; larger ones are added digit by digit. */
const ADDED_BELOW = "1e20";

/**
 * Aggregates of JSON values. Only numbers can be summed; a group with any other value is an error, as in PuppetDB's
 * database.
 */
function jsonAggregate(scope: Scope, fn: Exclude<AggregateName, "count">, ref: FieldRef): string {
  const value = scope.use(ref.field.sql);
  const key = sortKeyOf(scope, ref);
  const double = `TRY_CAST(${value} AS DOUBLE)`;
  const isSmall = `abs(${double}) < ${ADDED_BELOW}`;
  const small = `regexp_replace(sum(CASE WHEN ${isSmall} THEN TRY_CAST(${value} AS DECIMAL(38, 12)) END)::VARCHAR, '\\.?0+$', '')`;
  const large = `string_agg(${value}, ' ') FILTER (WHERE (${isSmall}) IS NOT TRUE)`;
  const sum = `CASE WHEN ${large} IS NULL THEN ${small} ELSE census_sum(coalesce(${small}, '0'), ${large}) END`;
  const results: Readonly<Record<Exclude<AggregateName, "count">, string>> = {
    min: `arg_min(${value}, ${key})`,
    max: `arg_max(${value}, ${key})`,
    avg: `census_average(${sum}, count(*)::VARCHAR)`,
    sum,
  };
  return `CASE WHEN count(*) FILTER (WHERE left(${key}, 1) <> '${sortRank.number}') > 0 THEN error(${quotedText(notNumbersText(fn, ref))}) ELSE ${results[fn]} END`;
}
