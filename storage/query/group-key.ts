import type { Column } from "./tree.ts";

/** What two mentions of one grouped column share. */
export function groupKey(column: Column): string {
  if (column.kind === "to_string") return `to_string/${column.ref.name}/${column.mask}`;
  if (column.kind === "aggregate") return `${column.fn}/${column.ref?.name ?? ""}`;
  return column.ref.name;
}
