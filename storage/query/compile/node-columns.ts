import type { Statement } from "../../engine/statements.ts";
import type { Entity } from "../entities/index.ts";
import type { FacetField } from "../facets/field.ts";
import type { Condition, Selection } from "../tree.ts";
import { allConditions, conditionSql } from "./conditions.ts";
import { facetColumn } from "./facet-columns.ts";
import { type FieldFilter, filterSql } from "./facets.ts";
import { selectOfNodes } from "./late.ts";
import { type CompileContext, Scope } from "./scope.ts";
import type { Writer } from "./writer.ts";

/** What a node has: a value, or whether it meets a condition. */
export type NodeColumn =
  | { readonly kind: "value"; readonly field: FacetField }
  | { readonly kind: "filter"; readonly leaves: FieldFilter["leaves"] }
  | { readonly kind: "condition"; readonly where: Condition };

/** Longer values (characters) are not written. */
const LONGEST = 1024;

/** What is written in place of a value that is too long. */
export const TOO_LONG = 0;

/** Rows of which each node has one at most. */
export type RowsOfNodes = Pick<Selection, "entity" | "where">;

/**
 * One statement whose rows are JSON texts `[id, cell…]`, one for each node with a row. A cell is null, a text that is the value or, of a part of a document,
 * its JSON text, or {@link TOO_LONG}.
 * @param ids only these nodes; absent: all
 */
export function compileNodeColumns(
  rows: RowsOfNodes,
  columns: readonly NodeColumn[],
  context: CompileContext,
  ids?: readonly number[],
): Statement {
  const scope = Scope.of(rows.entity, context);
  const node = nodeSql(scope, rows.entity);
  const cells = columns.map((column) => cellSql(scope, column));
  // Only the documents of nodes are by node.
  if (ids !== undefined && rows.entity.alias === "nodes") scope.limitToNodes(ids);
  const select = [`${node} AS id`, ...cells.map((cell, index) => `${cell} AS c${index}`)].join(", ");
  const found = selectOfNodes(scope, selected(rows), select, { node: (of) => nodeSql(of, rows.entity), ids });
  const texts = cells.map((_, index) => cellText(scope, `c${index}`));
  return scope.statement(`SELECT concat('[', ${["id", ...texts].join(", ',', ")}, ']') FROM (${found})`);
}

/** SQL of a text of which only so much is left that it is seen to be too long. */
export function cutSql(sql: string): string {
  return `left(${sql}, ${LONGEST + 1})`;
}

/**
 * SQL of the JSON text of a cell.
 * @param longest longer texts (characters) are not written
 */
export function cellText({ dialect }: Writer, sql: string, longest = LONGEST): string {
  return `CASE WHEN ${sql} IS NULL THEN 'null' WHEN length(${sql}) > ${longest} THEN '${TOO_LONG}' ELSE ${dialect.json.text(sql)} END`;
}

/** The statement of a column alone, by which it is known. */
export function nodeColumnKey(rows: RowsOfNodes, column: NodeColumn, context: CompileContext): Statement {
  const scope = Scope.of(rows.entity, context);
  return scope.statement([cellSql(scope, column), ...allConditions(scope, selected(rows))].join(" AND "));
}

function selected({ entity, where }: RowsOfNodes): Selection {
  return { entity, where, columns: [], groupBy: null, paging: {} };
}

/** SQL of the number of a row's node. */
export function nodeSql(scope: Scope, { fields, name }: Entity): string {
  const node = fields["certname"]?.node;
  if (node === undefined) throw new Error(`rows of ${name} belong to no node`);
  return scope.use(node);
}

function cellSql(scope: Scope, column: NodeColumn): string {
  switch (column.kind) {
    case "value":
      return scope.dialect.values.cast(`(${facetColumn(scope, column.field).key})`, "text");
    case "filter":
      return flagSql(filterSql(scope, column.leaves));
    case "condition":
      return flagSql(conditionSql(scope, column.where));
  }
}

function flagSql(condition: string): string {
  return `CASE WHEN ${condition} THEN '1' END`;
}
