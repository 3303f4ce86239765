import type { CompiledStatement } from "../compiled-statement.ts";
import { longTextSizes } from "../../ingest/write/long-texts.ts";
import { QueryError } from "../errors.ts";
import { groupKey } from "../group-key.ts";
import type { Column, Selection } from "../tree.ts";
import { columnSql, type Grouping } from "./columns.ts";
import { allConditions, whereSql } from "./conditions.ts";
import { jsonObject, type Member } from "./json-rows.ts";
import { lateSelect, selectByIds } from "./late.ts";
import { compileLists, expansionOf, type RowOfLists } from "./lists.ts";
import { pagingSql } from "./paging.ts";
import { type CompileContext, Scope } from "./scope.ts";
import { numberListSql } from "./value-lists.ts";
import { duckdb } from "../dialect/duckdb.ts";

export type { CompileContext } from "./scope.ts";

/** One statement whose rows are the JSON texts of the rows of the result. */
export function compileRows(selection: Selection, context: CompileContext): CompiledStatement {
  const scope = Scope.of(selection.entity, context);
  const { inner, outer, joins } = innerSelect(scope, selection, true);
  const row = selection.entity.bare === true && outer[0] !== undefined ? outer[0].json : jsonObject(scope, outer);
  return scope.statement([`SELECT ${row} FROM (${inner})`, ...joins].join(" "));
}

/** A result that is read in parts: the keys of its rows in their order, and the rows of given keys. */
export interface StatementsInParts {
  readonly keys: CompiledStatement;
  /**
   * Rows `id`, `characters` of the keys with long values, with a lower bound of their length; absent: no value can be
   * long.
   */
  readonly sizes?: string;
  readonly rowsOf: (keys: readonly string[]) => CompiledStatement;
  /** The row of a key, for one that is too large for the engine; absent: no row contains lists. */
  readonly listsOf?: (key: string) => RowOfLists;
}

/**
 * The same rows as of {@link compileRows}, for results that are too large for the engine at once.
 * @returns undefined where rows cannot be assigned to a node or a report
 */
export function compileInParts(selection: Selection, context: CompileContext): StatementsInParts | undefined {
  const { entity, columns, groupBy, paging } = selection;
  const key = "stored" in entity.from.rows ? partKeys[entity.from.rows.stored] : undefined;
  if (key === undefined || groupBy !== null || columns.some(({ kind }) => kind === "aggregate")) return undefined;
  const isPaged = Object.keys(paging).length > 0;
  if (key.isShared && isPaged) return undefined;
  const scope = Scope.of(entity, context);
  const where = whereSql(scope, selection);
  const order = key.isShared ? "" : pagingSql(scope, selection);
  const distinct = key.isShared ? "DISTINCT " : "";
  const long = new Set(columns.flatMap((column) => (column.ref === null ? [] : (column.ref.field.long ?? []))));
  const sizes = [...long].map((table) => `(${longTextSizes[table]})`);
  return {
    ...(sizes.length === 0
      ? {}
      : { sizes: `SELECT id, sum(characters) AS characters FROM (${sizes.join(" UNION ALL ")}) GROUP BY id` }),
    keys: scope.statement(`SELECT ${distinct}${duckdb.values.cast(key.sql, "text")} ${scope.from()}${where}${order}`),
    ...(columns.some((column) => expansionOf(column, key.sql) !== undefined)
      ? { listsOf: (id: string) => compileLists(selection, context, { sql: key.sql, id }) }
      : {}),
    rowsOf: (keys) => {
      const part = Scope.of(entity, context);
      const { inner, outer, joins } = innerSelect(part, selection, true, { ...key, keys });
      return part.statement([`SELECT ${jsonObject(part, outer)} FROM (${inner})`, ...joins].join(" "));
    },
  };
}

/** The key of the rows of a table; where it is shared, the rows of one key come together and in no order. */
const partKeys: Readonly<Record<string, { readonly sql: string; readonly isShared: boolean }>> = {
  nodes: { sql: "n.id", isShared: false },
  reports: { sql: "r.id", isShared: false },
  events: { sql: "e.report_id", isShared: true },
  facts: { sql: "f.node_id", isShared: true },
  fact_leaves: { sql: "l.node_id", isShared: true },
  catalog_resources: { sql: "cr.node_id", isShared: true },
  catalog_inputs: { sql: "i.node_id", isShared: true },
};

/** The rows of some keys. */
interface Part {
  readonly sql: string;
  readonly keys: readonly string[];
}

/** One statement whose only value is the number of rows before limit and offset, as a text. */
export function compileCount(selection: Selection, context: CompileContext): CompiledStatement {
  const scope = Scope.of(selection.entity, context);
  const { inner } = innerSelect(scope, { ...selection, paging: {} }, false);
  return scope.statement(`SELECT ${duckdb.values.cast("count(*)", "text")} FROM (${inner})`);
}

interface Parts {
  inner: string;
  /** Key and JSON text of each column, over c0, c1, … of the inner SELECT */
  outer: Member[];
  joins: string[];
}

function isGrouped({ columns, groupBy }: Selection): boolean {
  return groupBy !== null || columns.some(({ kind }) => kind === "aggregate");
}

function innerSelect(scope: Scope, selection: Selection, withValues: boolean, part?: Part): Parts {
  const { columns, groupBy, paging } = selection;
  const hasGroups = isGrouped(selection);
  const grouping: Grouping = !hasGroups ? "none" : paging.orderBy === undefined ? "groups" : "ordered groups";
  // Without groups, columns do not change the number of rows.
  const wanted: readonly Column[] = withValues || hasGroups ? columns : [];
  const { select, outer, joins } = selectedColumns(scope, wanted, grouping);
  if (part !== undefined) return { inner: partSelect(scope, selection, select, part), outer, joins };
  const late = hasGroups || !withValues ? undefined : lateSelect(scope, selection, select);
  if (late !== undefined) return { inner: late, outer, joins };
  const where = whereSql(scope, selection);
  const groups = (groupBy ?? []).map((column) => groupSql(scope, column, wanted));
  if (hasGroups) checkOrder(selection);
  const order = pagingSql(scope, selection);
  const grouped = groups.length === 0 ? "" : ` GROUP BY ${groups.join(", ")}`;
  const from = scope.from({ rows: withValues && !hasGroups });
  return { inner: `SELECT ${select} ${from}${where}${grouped}${order}`, outer, joins };
}

/** Columns as SQL: what an inner SELECT returns as c0, c1, …, and how rows are made of that. */
function selectedColumns(
  scope: Scope,
  columns: readonly Column[],
  grouping: Grouping,
): Omit<Parts, "inner"> & { readonly select: string } {
  const compiled = columns.map((column) => columnSql(scope, column, grouping));
  const select = compiled.map(({ value }, index) => `${value} AS c${index}`).join(", ") || "1";
  const outer = compiled.map((column, index): Member => {
    const alias = `c${index}`;
    return { key: columns[index]?.key ?? "", json: column.json(alias), plain: column.plain?.(alias) };
  });
  const joins = compiled.flatMap((column, index) => column.join?.(`c${index}`) ?? []);
  return { select, outer, joins };
}

/** A SELECT of the rows with some keys; paging has been applied to the keys already. */
function partSelect(scope: Scope, selection: Selection, select: string, { sql, keys }: Part): string {
  const { entity, paging } = selection;
  const ids = keys.map(Number);
  const [first, last] = [ids.reduce((a, b) => Math.min(a, b)), ids.reduce((a, b) => Math.max(a, b))];
  // With the bounds the engine skips rows that it would otherwise read before it compares keys.
  const condition = (within: Scope): string =>
    `${sql} BETWEEN ${within.value(first)} AND ${within.value(last)}
      AND ${sql} IN (SELECT ${duckdb.lists.rows(numberListSql(within, keys))})`;
  if (entity.ids !== undefined) {
    // Otherwise the engine would read the wide values of all rows, and select the keys afterwards.
    const by = { alias: entity.from.alias, ids: entity.ids, condition };
    return selectByIds(scope, selection, select, by);
  }
  const conditions = [...allConditions(scope, selection), condition(scope)];
  const order = pagingSql(scope, { ...selection, paging: { orderBy: paging.orderBy ?? [] } });
  return `SELECT ${select} ${scope.from({ rows: true })} WHERE ${conditions.join(" AND ")}${order}`;
}

/**
 * A column with parameters is grouped by its position in the projection: repeated with parameters of its own, it would
 * be a different expression.
 */
function groupSql(scope: Scope, column: Column, wanted: readonly Column[]): string {
  const hasParameters = column.kind === "part" || column.kind === "to_string";
  const place = hasParameters ? wanted.findIndex((other) => groupKey(other) === groupKey(column)) : -1;
  return place < 0 ? columnSql(scope, column, "none").group : `c${place}`;
}

/** Groups can be ordered only by what they are grouped by, and by functions. */
function checkOrder({ groupBy, paging: { orderBy = [] } }: Selection): void {
  const grouped = new Set((groupBy ?? []).map(groupKey));
  const loose = orderBy.find(({ by }) => (by.kind === "field" || by.kind === "part") && !grouped.has(groupKey(by)));
  if (loose !== undefined) {
    throw new QueryError(`groups cannot be ordered by "${loose.by.key}": add it to ["group_by", …]`);
  }
}
