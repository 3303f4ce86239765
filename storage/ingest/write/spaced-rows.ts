import type { Appender, Cell } from "../../engine/appender.ts";
import { VECTOR_ROWS } from "../../engine/file-layout.ts";

/** Characters of a row's texts for which it gets one spacer: then a vector has at most 32 MB, besides one row. */
export const PER_SPACER = 16 * 1024;

/**
 * Appends rows to a table whose rows can be megabytes long. A long row is followed by spacers: empty rows, so that few others
 * are in its vector and it can be read without them (`storage/schema/migrations/007-rows-apart.ts`). A spacer has the number
 * in the row's first column with a minus, its other numbers and times, and empty texts.
 */
export class SpacedRows {
  readonly #rows: Appender;

  constructor(rows: Appender) {
    this.#rows = rows;
  }

  row(id: number | bigint, ...cells: Cell[]): void {
    this.#rows.row(id, ...cells);
    const spacers = spacersAfter(charactersOf(cells));
    if (spacers === 0) return;
    const empty = cells.map(withoutText);
    for (let left = spacers; left > 0; left--) this.#rows.row(-id, ...empty);
  }

  close(): void {
    this.#rows.close();
  }
}

/** Spacers after a row whose texts have this many characters. */
export function spacersAfter(characters: number): number {
  return Math.min(VECTOR_ROWS - 1, Math.floor(characters / PER_SPACER));
}

function charactersOf(cells: readonly Cell[]): number {
  let characters = 0;
  for (const cell of cells) {
    if (typeof cell === "string" || cell instanceof Uint8Array) characters += cell.length;
    else if (Array.isArray(cell)) characters += charactersOf(cell as readonly string[]);
  }
  return characters;
}

function withoutText(cell: Cell): Cell {
  if (typeof cell === "string" || cell instanceof Uint8Array) return "";
  return Array.isArray(cell) ? [] : cell;
}
