import type { Statement } from "../../engine/statements.ts";
import type { Column, Selection } from "../tree.ts";
import { jsonObject } from "./json-rows.ts";
import { selectOfNodes } from "./late.ts";
import { cellText, cutSql, nodeSql } from "./node-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";
import { selectedColumns } from "./statement.ts";

/** Longer rows (characters) are not written. */
const LONGEST_ROW = 4096;

/**
 * One statement whose rows are JSON texts `[node, [key…], row]`: the number of the node that the row belongs to, what it is ordered by,
 * and its text. A key or a row that is too long is {@link TOO_LONG}. The order and the page are left out.
 * @param ids only rows of these nodes; absent: of all
 */
export function compileRowsByNode(selection: Selection, context: CompileContext, ids?: readonly number[]): Statement {
  const scope = Scope.of(selection.entity, context);
  const node = nodeSql(scope, selection.entity);
  // A value of megabytes is not carried along only to be too long in the end.
  const cut = (value: string, { ref }: Column): string =>
    ref?.field.long === undefined ? value : `left(${value}, ${LONGEST_ROW + 1})`;
  const { select, outer, joins } = selectedColumns(scope, selection.columns, "none", cut);
  const keys = (selection.paging.orderBy ?? []).map(({ ref }) => cutSql(scope.use(ref.field.sortKey ?? ref.field.sql)));
  const cells = [`${node} AS node`, ...keys.map((key, index) => `${key} AS k${index}`), select].join(", ");
  const inner = selectOfNodes(scope, selection, cells, { node: (of) => nodeSql(of, selection.entity), ids });
  const key = keys.map((_, index) => cellText(scope, `k${index}`)).join(", ',', ");
  const rows = [`SELECT node, concat(${key}) AS keys, ${jsonObject(scope, outer)} AS text FROM (${inner})`, ...joins];
  return scope.statement(
    `SELECT concat('[', node, ',[', keys, '],', ${cellText(scope, "text", LONGEST_ROW)}, ']') FROM (${rows.join(" ")})`,
  );
}
