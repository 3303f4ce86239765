import type { Statement } from "../../engine/database.ts";
import { QueryError } from "../errors.ts";
import { groupKey } from "../group-key.ts";
import type { Column, Selection } from "../tree.ts";
import { columnSql } from "./columns.ts";
import { whereSql } from "./conditions.ts";
import { jsonObject } from "./dialect.ts";
import { pagingSql } from "./paging.ts";
import { type CompileContext, Scope } from "./scope.ts";

export { mistakeMark } from "./columns.ts";
export type { CompileContext } from "./scope.ts";

/** One statement whose rows are the JSON texts of the answer's rows. */
export function compileRows(selection: Selection, context: CompileContext): Statement {
  const scope = Scope.of(selection.entity, context);
  const { inner, outer } = innerSelect(scope, selection, true);
  const row = selection.entity.bare === true && outer[0] !== undefined ? outer[0].json : jsonObject(scope, outer);
  return scope.statement(`SELECT ${row} FROM (${inner})`);
}

/** One statement whose only value is how many rows the answer has before limit and offset, as a text. */
export function compileCount(selection: Selection, context: CompileContext): Statement {
  const scope = Scope.of(selection.entity, context);
  const { inner } = innerSelect(scope, { ...selection, paging: {} }, false);
  return scope.statement(`SELECT count(*)::VARCHAR FROM (${inner})`);
}

interface Parts {
  inner: string;
  /** Key and JSON text of each column, over the inner SELECT's c0, c1, … */
  outer: { key: string; json: string }[];
}

function innerSelect(scope: Scope, selection: Selection, withValues: boolean): Parts {
  const { columns, groupBy, paging } = selection;
  const isGrouped = groupBy !== null || columns.some((column) => column.kind === "aggregate");
  // Only the number of rows is wanted: without groups no column makes a difference.
  const wanted: readonly Column[] = withValues || isGrouped ? columns : [];
  const compiled = wanted.map((column) => columnSql(scope, column, isGrouped));
  const select = compiled.map(({ value }, index) => `${value} AS c${index}`).join(", ") || "1";
  const outer = compiled.map((column, index) => ({ key: wanted[index]?.key ?? "", json: column.json(`c${index}`) }));
  const pageFirst = !isGrouped && paging.limit !== undefined && compiled.some(({ value }) => value.includes("SELECT"));
  if (pageFirst && tableAlias(selection.entity) !== undefined) {
    return { inner: pagedSelect(scope, selection, select), outer };
  }
  const where = whereSql(scope, selection);
  const groups = (groupBy ?? []).map((column) => groupSql(scope, column, wanted));
  if (isGrouped) checkOrder(selection);
  const order = pagingSql(scope, selection);
  const grouping = groups.length === 0 ? "" : ` GROUP BY ${groups.join(", ")}`;
  return { inner: `SELECT ${select} ${scope.from()}${where}${grouping}${order}`, outer };
}

/** The alias of the entity's first table, whose rows are the entity's rows; undefined where that is no table. */
function tableAlias({ from }: Selection["entity"]): string | undefined {
  return /^\w+ (\w+)$/.exec(from)?.[1];
}

/**
 * Finds the rows of the page first and computes costly columns (a report with all its events) for those alone: the engine
 * would compute them for every row before it sorts.
 */
function pagedSelect(scope: Scope, selection: Selection, select: string): string {
  const rowId = `${tableAlias(selection.entity)}.rowid`;
  const page = scope.inside(selection.entity);
  const where = whereSql(page, selection);
  const paging = pagingSql(page, selection);
  const { orderBy = [] } = selection.paging;
  const order = pagingSql(scope, { ...selection, paging: { orderBy } });
  return `SELECT ${select} ${scope.from()} WHERE ${rowId} IN (SELECT ${rowId} ${page.from()}${where}${paging})${order}`;
}

/**
 * What holds parameters is grouped by its place in the projection: written twice, with parameters of its own each time,
 * it would be two expressions.
 */
function groupSql(scope: Scope, column: Column, wanted: readonly Column[]): string {
  const hasParameters = column.kind === "part" || column.kind === "to_string";
  const place = hasParameters ? wanted.findIndex((other) => groupKey(other) === groupKey(column)) : -1;
  return place < 0 ? columnSql(scope, column, false).group : `c${place}`;
}

/** Groups can be ordered by what they are grouped by. */
function checkOrder({ groupBy, paging }: Selection): void {
  const grouped = new Set((groupBy ?? []).map(groupKey));
  const loose = paging.orderBy?.find(({ ref }) => !grouped.has(ref.name));
  if (loose !== undefined) {
    throw new QueryError(`groups cannot be ordered by "${loose.ref.name}": add it to ["group_by", …]`);
  }
}
