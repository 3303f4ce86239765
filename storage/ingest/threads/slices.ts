import type { PrepareResult } from "../prepare-result.ts";

/** Longer lists cross from one thread to another in slices. */
const LARGEST = 1000;

/** A part of one list of one of several results. */
export interface Slice {
  /** The index of the result. */
  readonly result: number;
  readonly list: string;
  readonly rows: readonly unknown[];
}

/**
 * Cuts the long lists out of results. A thread that receives a message builds all its objects at once: a catalog of ten
 * megabytes would block the event loop for a tenth of a second.
 */
export function cutSlices(results: readonly PrepareResult[]): {
  readonly rest: readonly PrepareResult[];
  readonly slices: Slice[];
} {
  const slices: Slice[] = [];
  const rest = results.map((result, index) => {
    if (!("prepared" in result)) return result;
    const long = Object.entries(result.prepared).filter(isLong);
    if (long.length === 0) return result;
    for (const [list, rows] of long) {
      for (let from = 0; from < rows.length; from += LARGEST) {
        slices.push({ result: index, list, rows: rows.slice(from, from + LARGEST) });
      }
    }
    const emptied = Object.fromEntries(long.map(([list]) => [list, []]));
    return { ...result, prepared: { ...result.prepared, ...emptied } };
  });
  return { rest, slices };
}

/** Appends a slice to the list that it was cut from. */
export function putSlice(results: readonly PrepareResult[], { result, list, rows }: Slice): void {
  const found = results[result];
  if (found === undefined || !("prepared" in found)) throw new Error(`there is no result ${result} for this slice`);
  const lists = found.prepared as unknown as Record<string, unknown[]>;
  lists[list]?.push(...rows);
}

function isLong(entry: [string, unknown]): entry is [string, unknown[]] {
  return Array.isArray(entry[1]) && entry[1].length > LARGEST;
}
