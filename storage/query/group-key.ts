import type { Column } from "./tree.ts";

/** The key that is equal for two mentions of the same grouped column. */
export function groupKey(column: Column): string {
  if (column.kind === "to_string") return `to_string/${column.ref.name}/${column.mask}`;
  if (column.kind === "aggregate") return `${column.fn}/${column.ref?.name ?? ""}`;
  return column.ref.name;
}
