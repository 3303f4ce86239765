import type { Attempt } from "../prepare-result.ts";

/*
 * Rows that come again and again cross from the threads that prepare once: from then on a number stands for each. To build
 * the texts of a row anew takes the thread that writes more than anything else it does with it.
 */

/** The lists of a prepared command whose rows may be such. */
const LISTS = ["facts", "leaves", "packages", "resources", "edges"] as const;

/** In a report `resources` is a document. */
type Lists = Partial<Record<(typeof LISTS)[number], readonly unknown[] | string | null>>;

/** A row that will come again, in the thread that made it. */
export class RepeatedRow {
  /** Undefined once it has been told: nobody needs it there any more. */
  cells: object | undefined;
  /** What stands for it then. */
  number = 0;

  constructor(cells: object) {
    this.cells = cells;
  }
}

/** What a thread that prepares tells of such rows. */
export class ToldRows {
  #told = 0;

  /** To be called when none of the rows so far will come again. */
  clear(): void {
    this.#told = 0;
  }

  /** @returns the attempts with numbers in the place of such rows, and those of them that have not been told before */
  shortened(attempts: readonly Attempt[]): { readonly attempts: readonly Attempt[]; readonly told: readonly object[] } {
    const told: object[] = [];
    const numbered = (row: unknown): unknown => {
      if (!(row instanceof RepeatedRow)) return row;
      if (row.cells !== undefined) {
        told.push(row.cells);
        row.cells = undefined;
        row.number = this.#told++;
      }
      return row.number;
    };
    return { attempts: attempts.map((attempt) => withLists(attempt, (list) => list.map(numbered))), told };
  }
}

/** The same on the other side. */
export class HeardRows {
  readonly #rows: object[] = [];

  /** Takes in what is told, in its order. */
  add(rows: readonly object[]): void {
    for (const row of rows) this.#rows.push(row);
  }

  clear(): void {
    this.#rows.length = 0;
  }

  /** Puts rows in the place of their numbers. */
  restored(attempts: readonly Attempt[]): readonly Attempt[] {
    return attempts.map((attempt) => withLists(attempt, (list) => this.rows(list)));
  }

  /** The same in a single list. */
  rows(list: readonly unknown[]): readonly unknown[] {
    return list.map((row) => (typeof row === "number" ? this.#rows[row] : row));
  }
}

function withLists(attempt: Attempt, change: (list: readonly unknown[]) => readonly unknown[]): Attempt {
  if (!("prepared" in attempt)) return attempt;
  const { prepared } = attempt;
  const lists = prepared as Lists;
  const changed: Lists = {};
  for (const name of LISTS) {
    const list = lists[name];
    if (Array.isArray(list) && list.length > 0) changed[name] = change(list);
  }
  return { ...attempt, prepared: { ...prepared, ...changed } as typeof prepared };
}
