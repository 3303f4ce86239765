import type { Attempt } from "../prepare-result.ts";

/** Lists of more elements than this cross from one thread to another in slices. */
const LARGEST = 1000;

/** A part of one of the lists of one of several attempts. */
export interface Slice {
  readonly attempt: number;
  readonly list: string;
  readonly rows: readonly unknown[];
}

/**
 * Takes the long lists out of attempts. To receive a message is to build all that is in it, in one go: a catalog of ten
 * megabytes would keep the event loop from everything else for a tenth of a second.
 */
export function cutSlices(attempts: readonly Attempt[]): {
  readonly rest: readonly Attempt[];
  readonly slices: Slice[];
} {
  const slices: Slice[] = [];
  const rest = attempts.map((attempt, index) => {
    if (!("prepared" in attempt)) return attempt;
    const long = Object.entries(attempt.prepared).filter(isLong);
    if (long.length === 0) return attempt;
    for (const [list, rows] of long) {
      for (let from = 0; from < rows.length; from += LARGEST) {
        slices.push({ attempt: index, list, rows: rows.slice(from, from + LARGEST) });
      }
    }
    const emptied = Object.fromEntries(long.map(([list]) => [list, []]));
    return { ...attempt, prepared: { ...attempt.prepared, ...emptied } };
  });
  return { rest, slices };
}

/** Puts a slice back at the end of the list that it was taken from. */
export function putSlice(attempts: readonly Attempt[], { attempt, list, rows }: Slice): void {
  const found = attempts[attempt];
  if (found === undefined || !("prepared" in found)) throw new Error("a slice of no attempt");
  const lists = found.prepared as unknown as Record<string, unknown[]>;
  lists[list]?.push(...rows);
}

function isLong(entry: [string, unknown]): entry is [string, unknown[]] {
  return Array.isArray(entry[1]) && entry[1].length > LARGEST;
}
