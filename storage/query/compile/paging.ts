import type { Selection } from "../tree.ts";
import { orderSql } from "./columns.ts";
import type { Scope } from "./scope.ts";

/** ORDER BY, LIMIT and OFFSET of a selection; NULLs are last ascending, first descending. */
export function pagingSql(scope: Scope, selection: Selection): string {
  const { orderBy = [], limit, offset } = selection.paging;
  const orders = orderBy.map(({ by, descending }) => {
    const key = orderSql(scope, by, selection.groupBy !== null);
    return `${key} ${descending ? "DESC NULLS FIRST" : "ASC NULLS LAST"}`;
  });
  return [
    orders.length === 0 ? "" : ` ORDER BY ${orders.join(", ")}`,
    limit === undefined ? "" : ` LIMIT ${limit}`,
    offset === undefined ? "" : ` OFFSET ${offset}`,
  ].join("");
}
