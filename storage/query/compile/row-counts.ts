import type { Column, Condition, FieldRef, Selection } from "../tree.ts";
import type { CompileContext, RowCounts } from "./scope.ts";

/** The number of rows of a result, as a column. */
const numberOfRows: Column = { kind: "aggregate", key: "count", fn: "count", ref: null };

/**
 * The table in which a result can be counted, in place of the rows themselves.
 * @returns undefined where there is none, or the result is not made of numbers of rows and columns of that table
 */
export function rowCountsFor(
  { entity, columns, groupBy, where }: Selection,
  { rowCounts }: CompileContext,
): RowCounts | undefined {
  const { rows, alias, computed } = entity.from;
  const counts = "stored" in rows && computed === undefined ? rowCounts?.[rows.stored] : undefined;
  if (counts === undefined || entity.always !== undefined) return undefined;
  const isCounted = ({ field: { sql } }: FieldRef): boolean =>
    "column" in sql && sql.table === alias && counts.columns.includes(sql.column);
  const counted = columns.filter(
    (column) => column.kind === "aggregate" && column.fn === "count" && column.ref === null,
  );
  const others = [...columns.filter((column) => !counted.includes(column)), ...(groupBy ?? [])];
  const isMade =
    counted.length > 0 &&
    others.every((column) => column.kind === "field" && isCounted(column.ref)) &&
    (where === null || readsOnly(where, isCounted));
  return isMade ? counts : undefined;
}

/** The same for the number of rows of a result that is not grouped, and the selection whose only column that is. */
export function countedSelection(selection: Selection, context: CompileContext): Selection | undefined {
  const counted: Selection = { ...selection, columns: [numberOfRows], paging: {} };
  return rowCountsFor(counted, context) === undefined ? undefined : counted;
}

/** Whether a condition depends on nothing but the node's state and some fields. */
function readsOnly(condition: Condition, isCounted: (ref: FieldRef) => boolean): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.clauses.every((clause) => readsOnly(clause, isCounted));
    case "not":
    case "known":
      return readsOnly(condition.clause, isCounted);
    case "constant":
    case "node-state":
      return true;
    case "compare":
    case "text":
    case "one-of":
    case "null":
      return isCounted(condition.ref);
    default:
      return false;
  }
}
