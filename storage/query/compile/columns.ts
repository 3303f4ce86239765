import { sortRank } from "../../jsonb/sort-key.ts";
import type { Written } from "../../engine/row-layout.ts";
import { toCharSql } from "../../postgres/to-char.ts";
import type { FieldType } from "../entities/index.ts";
import type { AggregateName, Column, FieldRef } from "../tree.ts";
import { jsonTextOf, jsonValueOf, literal } from "./dialect.ts";
import { partColumn } from "./parts.ts";
import { sortKeyOf } from "./predicates.ts";
import type { Scope } from "./scope.ts";

/** A column as SQL: what the inner SELECT yields, and how that becomes JSON text outside. */
export interface ColumnSql {
  readonly value: string;
  json(alias: string): string;
  /** Its value where the engine writes that right as a member of an object. */
  plain?(alias: string): string | undefined;
  /** How its value is written where rows are laid out outside of the engine; absent: as {@link json} has it. */
  readonly as?: Written;
  /** A join outside that the JSON text needs. */
  join?(alias: string): string;
  /** What GROUP BY and the check for grouped columns use. */
  readonly group: string;
}

/** Whether rows are grouped, so that values which are grouped by their sort key need picking, and groups ordered. */
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
      const value = toCharSql(column.mask, scope.use(column.ref.field.sql), (text) => scope.value(text));
      return { value, group: value, as: "text", json: (alias) => jsonTextOf("string", alias), plain: (alias) => alias };
    }
    case "aggregate":
      return aggregateColumn(scope, column.fn, column.ref);
  }
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
  const as = field.serialized === true ? "json" : writtenAs(type);
  return {
    value: grouping !== "none" && group !== undefined ? `any_value(${sql})` : sql,
    group: group ?? sql,
    ...(as === undefined ? {} : { as }),
    json: (alias) => jsonTextOf(type, alias, field),
    plain: (alias) => (field.serialized === true ? undefined : jsonValueOf(type, alias)),
  };
}

function writtenAs(type: FieldType): Written | undefined {
  if (type === "string") return "text";
  return type === "json" || type === "document" || type === "expanded" ? "json" : undefined;
}

/** The value of some row of a group, read when the groups are known: until then only sort keys need to be read. */
function pickedColumn(scope: Scope, sql: string, group: string): ColumnSql | undefined {
  if (scope.entity.isView === true) return undefined;
  const [, table, alias] = /^(\w+) (\w+)$/.exec(scope.entity.from) ?? [];
  const [, owner, column] = /^(\w+)\.(\w+)$/.exec(sql) ?? [];
  if (table === undefined || alias === undefined || owner !== alias) return undefined;
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

/** Above this a sum is computed in floating point; below, exactly to twelve places. */
const EXACT_BELOW = "1e20";

/**
 * Aggregates over JSON values: numbers alone can be summed, and a group that holds anything else is an error, as it is
 * in the peer's database.
 */
function jsonAggregate(scope: Scope, fn: Exclude<AggregateName, "count">, ref: FieldRef): string {
  const value = scope.use(ref.field.sql);
  const key = sortKeyOf(scope, ref);
  const double = `TRY_CAST(${value} AS DOUBLE)`;
  const isExact = `max(abs(${double})) < ${EXACT_BELOW}`;
  const exactSum = `regexp_replace(sum(CASE WHEN abs(${double}) < ${EXACT_BELOW} THEN TRY_CAST(${value} AS DECIMAL(38, 12)) END)::VARCHAR, '\\.?0+$', '')`;
  const results: Readonly<Record<Exclude<AggregateName, "count">, string>> = {
    min: `arg_min(${value}, ${key})`,
    max: `arg_max(${value}, ${key})`,
    avg: `CASE WHEN ${isExact} THEN census_average(${exactSum}, count(*)::VARCHAR) ELSE avg(${double})::VARCHAR END`,
    sum: `CASE WHEN ${isExact} THEN ${exactSum} ELSE sum(${double})::VARCHAR END`,
  };
  const message = `${mistakeMark}${fn} takes numbers, and some values of "${ref.name}" are none; add ["=", ["function", "jsonb_typeof", "${ref.name}"], "number"] to the filter`;
  return `CASE WHEN count(*) FILTER (WHERE left(${key}, 1) <> '${sortRank.number}') > 0 THEN error(${literal(message)}) ELSE ${results[fn]} END`;
}

/** Begins the message of an error that a statement raises because of what was asked, not because of a fault. */
export const mistakeMark = "census-query: ";
