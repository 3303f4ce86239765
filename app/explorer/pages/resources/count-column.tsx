import type { Column } from "../table/column.ts";

/** A column of counts. */
export function countColumn<const Key extends string>(
  key: Key,
  title: string,
): Column<{ readonly [K in Key]: number }> {
  return {
    key,
    title,
    width: 120,
    align: "end",
    sort: key,
    value: (row) => row[key],
    cell: (row) => row[key].toLocaleString(),
  };
}
