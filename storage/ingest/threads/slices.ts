import type { PrepareResult } from "../prepare-result.ts";

/** Longer lists cross from one thread to another in slices. */
const LARGEST = 1000;

/** Characters that a slice has at most, besides one row, where memory is saved. */
const LONGEST = 1024 * 1024;

/** A part of one of several results. */
export interface Slice {
  /** The index of the result. */
  readonly result: number;
  /** The list or text of the result that it is a part of. */
  readonly member: string;
  /** Rows of the list; the whole of a text. */
  readonly content: readonly unknown[] | string;
}

/**
 * Cuts the long lists out of results. A thread that receives a message builds all its objects at once: a catalog of ten
 * megabytes would block the event loop for a tenth of a second.
 * @param savesMemory whether long texts are kept out of the same message, too: what a message contains is in memory three
 *   times for a moment
 */
export function cutSlices(
  results: readonly PrepareResult[],
  savesMemory: boolean,
): { readonly rest: readonly PrepareResult[]; readonly slices: Slice[] } {
  const slices: Slice[] = [];
  const rest = results.map((result, index) => {
    if (!("prepared" in result)) return result;
    const members: [member: string, value: unknown][] = Object.entries(result.prepared);
    const emptied: Record<string, unknown> = {};
    for (const [member, value] of members) {
      const parts = partsOf(value, savesMemory);
      if (parts === undefined) continue;
      for (const content of parts) slices.push({ result: index, member, content });
      emptied[member] = typeof value === "string" ? "" : [];
    }
    return { ...result, prepared: { ...result.prepared, ...emptied } };
  });
  return { rest, slices };
}

/** Puts a slice into what it was cut from. */
export function putSlice(results: readonly PrepareResult[], { result, member, content }: Slice): void {
  const found = results[result];
  if (found === undefined || !("prepared" in found)) throw new Error(`there is no result ${result} for this slice`);
  const members = found.prepared as unknown as Record<string, unknown>;
  const list = members[member];
  if (Array.isArray(list) && typeof content !== "string") list.push(...content);
  else members[member] = content;
}

/** The parts of what is too long for one message; undefined for everything else. */
function partsOf(value: unknown, savesMemory: boolean): Slice["content"][] | undefined {
  if (typeof value === "string") return savesMemory && value.length > LONGEST ? [value] : undefined;
  if (!Array.isArray(value)) return undefined;
  const lengthOf = savesMemory ? charactersOf : nothing;
  const parts: unknown[][] = [];
  let part: unknown[] = [];
  let characters = 0;
  for (const row of value as unknown[]) {
    const length = lengthOf(row);
    if (part.length === LARGEST || (part.length > 0 && characters + length > LONGEST)) {
      parts.push(part);
      [part, characters] = [[], 0];
    }
    part.push(row);
    characters += length;
  }
  return parts.length === 0 && characters <= LONGEST ? undefined : [...parts, part];
}

function nothing(): number {
  return 0;
}

/** Characters of all texts in a value. */
export function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let characters = 0;
  for (const inner of Object.values(value)) characters += charactersOf(inner);
  return characters;
}
