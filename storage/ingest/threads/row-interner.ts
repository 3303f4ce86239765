import type { PrepareResult } from "../prepare-result.ts";
import { InternedRow } from "../shortcuts/interned-row.ts";

/*
 * Repeated rows cross from a preparing thread once; after that their number is sent. Building the strings of a row again
 * would cost the writing thread more than anything else it does with the row.
 */

/** Replaces rows by numbers in the thread that prepares. */
export class RowInterner {
  #count = 0;

  /** Restarts the numbers; to be called when none of the rows so far will occur again. */
  clear(): void {
    this.#count = 0;
  }

  /** @returns the results with numbers in place of interned rows, and those rows that have not been sent before */
  intern(results: readonly PrepareResult[]): { readonly results: readonly PrepareResult[]; readonly rows: object[] } {
    const rows: object[] = [];
    const numbered = (row: unknown): unknown => {
      if (!(row instanceof InternedRow)) return row;
      if (row.cells !== undefined) {
        rows.push(row.cells);
        row.cells = undefined;
        row.number = this.#count++;
      }
      return row.number;
    };
    return { results: results.map((result) => withLists(result, (list) => list.map(numbered))), rows };
  }
}

/** Replaces the numbers by rows in the thread that writes. */
export class RowResolver {
  readonly #rows: object[] = [];

  /** Adds rows that were sent, in their order. */
  add(rows: readonly object[]): void {
    for (const row of rows) this.#rows.push(row);
  }

  clear(): void {
    this.#rows.length = 0;
  }

  /** The results with rows in place of numbers. */
  resolve(results: readonly PrepareResult[]): readonly PrepareResult[] {
    return results.map((result) => withLists(result, (list) => this.rows(list)));
  }

  /** The same for a single list. */
  rows(list: readonly unknown[]): readonly unknown[] {
    return list.map((row) => (typeof row === "number" ? this.#rows[row] : row));
  }
}

/** Changes the lists that may contain interned rows: those of catalogs. */
function withLists(result: PrepareResult, change: (list: readonly unknown[]) => readonly unknown[]): PrepareResult {
  if (!("prepared" in result)) return result;
  const { prepared } = result;
  if (prepared.command !== "replace catalog" || prepared.kind === "unchanged") return result;
  const lists = { resources: change(prepared.resources), edges: change(prepared.edges) };
  return { ...result, prepared: { ...prepared, ...lists } as typeof prepared };
}
