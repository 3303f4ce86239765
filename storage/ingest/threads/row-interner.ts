import type { PrepareResult } from "../prepare-result.ts";
import { InternedRow } from "../shortcuts/interned-row.ts";
import type { Slice } from "./slices.ts";

/*
 * Repeated rows of catalogs and repeated paths of facts cross from a preparing thread once; after that their number is sent. Building
 * their strings again would cost the writing thread more than anything else it does with them. A path that is one string wherever it
 * occurs is also found faster in the dictionary of paths: V8 computes the hash of a string once.
 */

/** Paths that have numbers; what is beyond is sent each time. */
const MAX_PATHS = 100_000;

/** What has a number. */
type Interned = object | string;

/** Replaces rows and paths by numbers in the thread that prepares. */
export class RowInterner {
  readonly #paths = new Map<string, number>();
  #count = 0;

  /** Restarts the numbers; to be called when none of the rows so far will occur again. */
  clear(): void {
    this.#paths.clear();
    this.#count = 0;
  }

  /**
   * @param results are changed
   * @returns the results with numbers in place of what is interned, and that which has not been sent before
   */
  intern(results: readonly PrepareResult[]): {
    readonly results: readonly PrepareResult[];
    readonly rows: readonly Interned[];
  } {
    const rows: Interned[] = [];
    const numberOf = (interned: Interned): number => {
      rows.push(interned);
      return this.#count++;
    };
    const numberedRow = (row: unknown): unknown => {
      if (!(row instanceof InternedRow)) return row;
      if (row.cells !== undefined) {
        row.number = numberOf(row.cells);
        row.cells = undefined;
      }
      return row.number;
    };
    const numberedPath = (path: unknown): unknown => {
      if (typeof path !== "string") return path;
      const known = this.#paths.get(path);
      if (known !== undefined || this.#paths.size >= MAX_PATHS) return known ?? path;
      const number = numberOf(path);
      this.#paths.set(path, number);
      return number;
    };
    return { results: results.map((result) => withLists(result, numberedRow, numberedPath)), rows };
  }
}

/** Replaces the numbers by rows and paths in the thread that writes. */
export class RowResolver {
  readonly #rows: Interned[] = [];

  /** Adds what was sent, in its order. */
  add(rows: readonly Interned[]): void {
    for (const row of rows) this.#rows.push(row);
  }

  clear(): void {
    this.#rows.length = 0;
  }

  /** The results with rows and paths in place of numbers; they are changed. */
  resolve(results: readonly PrepareResult[]): readonly PrepareResult[] {
    return results.map((result) => withLists(result, this.#resolved, this.#resolved));
  }

  /** The same for a part of a list. */
  resolveSlice(slice: Slice): Slice {
    if (slice.list === "leaves") changePaths(slice.rows, this.#resolved);
    return { ...slice, rows: slice.rows.map(this.#resolved) };
  }

  readonly #resolved = (value: unknown): unknown => (typeof value === "number" ? this.#rows[value] : value);
}

type Change = (value: unknown) => unknown;

/** Changes what may be interned: the rows of catalogs, and the paths of facts. */
function withLists(result: PrepareResult, changeRow: Change, changePath: Change): PrepareResult {
  if (!("prepared" in result)) return result;
  const { prepared } = result;
  if (prepared.kind === "unchanged") return result;
  if (prepared.command === "replace facts") changePaths(prepared.leaves, changePath);
  if (prepared.command !== "replace catalog") return result;
  const lists = { resources: prepared.resources.map(changeRow), edges: prepared.edges.map(changeRow) };
  return { ...result, prepared: { ...prepared, ...lists } as typeof prepared };
}

/** In place: a fact set has thousands of leaves. */
function changePaths(leaves: readonly unknown[], change: Change): void {
  for (const leaf of leaves as unknown[][]) leaf[0] = change(leaf[0]);
}
