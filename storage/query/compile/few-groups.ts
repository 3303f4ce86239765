import type { Column, Condition, Selection } from "../tree.ts";

/**
 * Whether a result consists of few groups, by the fields that it is grouped by. Few groups are formatted outside of the
 * engine, which saves planning of expressions; many are written faster by the engine.
 */
export function hasFewGroups({ columns, groupBy, where }: Selection): boolean {
  if (groupBy === null) return columns.some(({ kind }) => kind === "aggregate");
  return groupBy.every((column) => isOfFew(column) || (isValue(column) && fixesName(where)));
}

function isOfFew(column: Column): boolean {
  return column.kind === "field" && column.ref.field.few === true;
}

function isValue(column: Column): boolean {
  return column.kind === "field" && column.ref.field.type === "json";
}

/** Facts of one name have few values, or one for each node. */
function fixesName(where: Condition | null): boolean {
  if (where?.kind === "and") return where.clauses.some(fixesName);
  return where?.kind === "compare" && where.op === "=" && where.ref.name === "name";
}
