import type { PrepareResult } from "../prepare-result.ts";

/** Longer lists cross from one thread to another in slices. */
const MAX_SLICE = 1000;

/** Maximum characters of a slice with more than one row, where memory is saved. */
const MAX_SLICE_TEXT = 1024 * 1024;

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
 * @param savesMemory whether slices are cut by their texts as well: what a message contains is in memory three times for a
 *   moment
 */
export function cutSlices(
  results: readonly PrepareResult[],
  savesMemory: boolean,
): { readonly rest: readonly PrepareResult[]; readonly slices: Slice[] } {
  const slices: Slice[] = [];
  const rest = results.map((result, index) => {
    if (!("prepared" in result)) return result;
    const emptied: Record<string, []> = {};
    for (const [list, rows] of Object.entries(result.prepared) as [string, unknown][]) {
      const parts = Array.isArray(rows) ? partsOf(rows, savesMemory) : [];
      if (parts.length < 2) continue;
      for (const part of parts) slices.push({ result: index, list, rows: part });
      emptied[list] = [];
    }
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

function partsOf(list: readonly unknown[], savesMemory: boolean): unknown[][] {
  const parts: unknown[][] = [];
  let part: unknown[] = [];
  let characters = 0;
  for (const row of list) {
    const length = savesMemory ? charactersOf(row) : 0;
    if (part.length === MAX_SLICE || (part.length > 0 && characters + length > MAX_SLICE_TEXT)) {
      parts.push(part);
      [part, characters] = [[], 0];
    }
    part.push(row);
    characters += length;
  }
  return [...parts, part];
}

/** Characters of all texts in a value, without those that are bytes. */
export function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return 0;
  let characters = 0;
  for (const inner of Object.values(value)) characters += charactersOf(inner);
  return characters;
}
