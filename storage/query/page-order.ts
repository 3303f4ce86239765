import type { Entity } from "./entities/index.ts";
import { groupKey } from "./group-key.ts";
import type { Condition, Order, Selection } from "./tree.ts";

/**
 * The same query, but every page of it, in its subqueries too, contains rows that depend on what is stored alone. Rows that the
 * query does not order, or that are equal in its order, come in the order of their entity's key, or of what they are grouped by.
 * Otherwise the place of rows in the tables decides, which differs between stores that have the same content.
 */
export function withPageOrder(selection: Selection): Selection {
  const { where, paging } = selection;
  const inner = where === null ? null : conditionWithPageOrder(where);
  const { orderBy = [], limit, offset } = paging;
  const isPage = limit !== undefined || offset !== undefined;
  const known = new Set(orderBy.map(({ by }) => groupKey(by)));
  const more = isPage ? keyOf(selection).filter(({ by }) => !known.has(groupKey(by))) : [];
  if (inner === where && more.length === 0) return selection;
  return {
    ...selection,
    where: inner,
    paging: more.length === 0 ? paging : { ...paging, orderBy: [...orderBy, ...more] },
  };
}

/** What orders all rows of a result. */
function keyOf({ entity, columns, groupBy }: Selection): Order[] {
  if (groupBy !== null) return groupBy.map((by) => ({ by, descending: false }));
  return columns.some(({ kind }) => kind === "aggregate") ? [] : keyOfEntity(entity);
}

function keyOfEntity({ unique, order = [], fields }: Entity): Order[] {
  return (unique ?? order).flatMap((name) => {
    const field = fields[name];
    return field === undefined ? [] : [{ by: { kind: "field", key: name, ref: { name, field } }, descending: false }];
  });
}

function conditionWithPageOrder(condition: Condition): Condition {
  switch (condition.kind) {
    case "and":
    case "or": {
      const clauses = condition.clauses.map(conditionWithPageOrder);
      return clauses.every((clause, index) => clause === condition.clauses[index])
        ? condition
        : { ...condition, clauses };
    }
    case "not":
    case "known": {
      const clause = conditionWithPageOrder(condition.clause);
      return clause === condition.clause ? condition : { ...condition, clause };
    }
    case "in-query": {
      const selection = withPageOrder(condition.selection);
      return selection === condition.selection ? condition : { ...condition, selection };
    }
    default:
      return condition;
  }
}
