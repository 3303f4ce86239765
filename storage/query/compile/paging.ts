import type { Selection } from "../tree.ts";
import type { Scope } from "./scope.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** ORDER BY, LIMIT and OFFSET of a selection; NULLs are last ascending, first descending. */
export function pagingSql(scope: Scope, selection: Selection): string {
  const { orderBy = [], limit, offset } = selection.paging;
  // A field may be grouped by another expression than it is ordered by; within a group both have one value.
  const isGrouped = selection.groupBy !== null;
  const orders = orderBy.map(({ ref, descending }) => {
    const key = scope.use(ref.field.sortKey ?? ref.field.sql);
    return `${isGrouped ? duckdb.aggregates.any(key) : key} ${descending ? "DESC NULLS FIRST" : "ASC NULLS LAST"}`;
  });
  return [
    orders.length === 0 ? "" : ` ORDER BY ${orders.join(", ")}`,
    limit === undefined ? "" : ` LIMIT ${limit}`,
    offset === undefined ? "" : ` OFFSET ${offset}`,
  ].join("");
}
