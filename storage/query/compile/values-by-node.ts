import type { Statement } from "../../engine/statements.ts";
import type { Selection } from "../tree.ts";
import type { FacetField } from "../facets/field.ts";
import { facetColumn } from "./facet-columns.ts";
import { countedSql } from "./facets.ts";
import { selectOfNodes } from "./late.ts";
import { cellText, nodeSql } from "./node-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";

/**
 * One statement whose rows are JSON texts `[node, [key…], [number…]]`: of each row of a node the text of a field, and a number that
 * distinguishes the values of another, null where there is none. A text that is too long is {@link TOO_LONG}.
 * @param ids only rows of these nodes; absent: of all
 */
export function compileValuesByNode(
  rows: Selection,
  { field, distinct }: { readonly field: FacetField; readonly distinct: FacetField },
  context: CompileContext,
  ids?: readonly number[],
): Statement {
  const scope = Scope.of(rows.entity, context);
  const { aggregates, values } = scope.dialect;
  const counted = countedSql(scope, distinct);
  const select = [
    `${nodeSql(scope, rows.entity)} AS node`,
    `${facetColumn(scope, field).key} AS k`,
    `${values.choice(`${counted} IS NULL`, "NULL", values.shortHash(counted))} AS v`,
  ].join(", ");
  const found = selectOfNodes(scope, rows, select, { node: (of) => nodeSql(of, rows.entity), ids });
  const numbers = `coalesce(${values.cast("v", "text")}, 'null')`;
  const lists = `${aggregates.joined(cellText(scope, "k"), "','")} AS keys, ${aggregates.joined(numbers, "','")} AS numbers`;
  return scope.statement(
    `SELECT concat('[', node, ',[', keys, '],[', numbers, ']]') FROM (SELECT node, ${lists} FROM (${found}) GROUP BY node)`,
  );
}
