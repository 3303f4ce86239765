import { useMemo } from "preact/hooks";
import type { Sort } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import { type Column, compareNaturally, type RowSource } from "./column.ts";

/** Most rows that are sorted in the browser. */
export const MOST_ROWS_IN_MEMORY = 100_000;

/**
 * Rows that are there already, sorted by the values of a column.
 * @param loaded where they come from, for the state of loading
 */
export function useMemorySource<Row>(
  rows: readonly Row[],
  { columns, sort, loaded }: { columns: readonly Column<Row>[]; sort?: Sort; loaded?: Loaded<unknown> },
): RowSource<Row> {
  const value = columns.find((column) => column.sort === sort?.field)?.value;
  const descending = sort?.descending === true;
  const sorted = useMemo(() => {
    if (value === undefined) return rows;
    const keyed = rows.map((row) => ({ row, key: value(row) }));
    keyed.sort((one, other) => compareNaturally(one.key, other.key, descending));
    return keyed.map(({ row }) => row);
  }, [rows, sort?.field, descending]);
  return {
    error: undefined,
    isLoading: false,
    ms: undefined,
    pql: undefined,
    reload: () => undefined,
    cancel: () => undefined,
    ...loaded,
    key: `${sort?.field ?? ""} ${String(descending)}`,
    count: loaded !== undefined && loaded.value === undefined ? undefined : sorted.length,
    row: (index) => sorted[index],
    show: () => undefined,
    value: sorted,
    total: sorted.length,
  };
}
