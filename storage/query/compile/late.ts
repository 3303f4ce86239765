import { hasSubquery } from "../entities/index.ts";
import type { Column, Selection } from "../tree.ts";
import { allConditions, whereSql } from "./conditions.ts";
import { pagingSql } from "./paging.ts";
import type { Scope } from "./scope.ts";
import { duckdb } from "../dialect/duckdb.ts";

/**
 * A SELECT that first finds the rows of the result, and then reads or computes costly columns for those only. The
 * engine would carry wide values through every join, and compute a page's columns for every row before it sorts.
 * @param select the columns, over the scope's aliases
 * @returns undefined where no column is costly
 */
export function lateSelect(scope: Scope, selection: Selection, select: string): string | undefined {
  const { entity, columns, paging } = selection;
  const alias = tableAlias(selection);
  if (alias === undefined) return undefined;
  const isLate = isPaged(selection) || !isPlain(selection.where);
  if (entity.ids !== undefined && columns.some(isWide) && isLate) {
    return selectByIds(scope, selection, select, { alias, ids: entity.ids });
  }
  return paging.limit !== undefined && columns.some(isComputed)
    ? byRows(scope, selection, select, duckdb.tables.rowNumber(alias))
    : undefined;
}

/**
 * The alias of the entity's first table, whose rows are the entity's rows; undefined where the entity does not begin
 * with a table.
 */
function tableAlias({ entity }: Selection): string | undefined {
  return "stored" in entity.from.rows ? entity.from.alias : undefined;
}

function isWide(column: Column): boolean {
  return (column.kind === "field" || column.kind === "part") && column.ref.field.wide === true;
}

/** Whether the column is computed by a subquery. */
function isComputed(column: Column): boolean {
  return column.kind === "field" && hasSubquery(column.ref.field.json ?? column.ref.field.sql);
}

/** Whether all rows are selected, or few by their names: then finding ids first would cost more than it saves. */
function isPlain(where: Selection["where"]): boolean {
  if (where === null || where.kind === "node-state") return true;
  if (where.kind === "and") return where.clauses.every(isPlain);
  return where.kind === "compare" && where.op === "=" && typeof where.value === "string";
}

/**
 * A SELECT that finds the ids of the rows, which then replace the entity's first table.
 * @param by its alias and ids, and a condition besides those of the selection
 */
export function selectByIds(
  scope: Scope,
  selection: Selection,
  select: string,
  by: { alias: string; ids: readonly string[]; condition?: (inner: Scope) => string },
): string {
  const inner = scope.inside(selection.entity);
  const conditions = [...allConditions(inner, selection), ...(by.condition === undefined ? [] : [by.condition(inner)])];
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  const paging = isPaged(selection) ? pagingSql(inner, selection) : "";
  const ids = by.ids.map((id) => `${by.alias}.${id}`).join(", ");
  const found = `SELECT ${ids} ${inner.from()}${where}${paging}`;
  const order = orderSql(scope, selection);
  const from = scope.from({ rows: true, table: `found ${by.alias}` });
  return `WITH ${duckdb.tables.once("found", found)} SELECT ${select} ${from}${order}`;
}

/** For a page of few rows of one table. */
function byRows(scope: Scope, selection: Selection, select: string, rowId: string): string {
  const page = scope.inside(selection.entity);
  const where = whereSql(page, selection);
  const paging = pagingSql(page, selection);
  const order = orderSql(scope, selection);
  return `SELECT ${select} ${scope.from()} WHERE ${rowId} IN (SELECT ${rowId} ${page.from()}${where}${paging})${order}`;
}

function isPaged({ paging: { limit, offset } }: Selection): boolean {
  return limit !== undefined || offset !== undefined;
}

function orderSql(scope: Scope, selection: Selection): string {
  const { orderBy = [] } = selection.paging;
  return pagingSql(scope, { ...selection, paging: { orderBy } });
}
