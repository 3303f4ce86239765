/** A cell of a table; row -1 is the head. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The size of a table. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows seen at once. */
  readonly page: number;
}

/** The cell that a key moves to; undefined when the key does not move. */
export function moved(cell: Cell, { key, ctrlKey }: KeyboardEvent, size: GridSize): Cell | undefined {
  const { row, column } = cell;
  const lastRow = size.rows - 1;
  const lastColumn = size.columns - 1;
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: Math.min(lastRow, Math.max(-1, nextRow)),
    column: Math.min(lastColumn, Math.max(0, nextColumn)),
  });
  switch (key) {
    case "ArrowDown":
      return to(row + 1, column);
    case "ArrowUp":
      return to(row - 1, column);
    case "ArrowRight":
      return to(row, column + 1);
    case "ArrowLeft":
      return to(row, column - 1);
    case "PageDown":
      return to(row + size.page, column);
    case "PageUp":
      return to(Math.max(0, row - size.page), column);
    case "Home":
      return ctrlKey ? to(0, 0) : to(row, 0);
    case "End":
      return ctrlKey ? to(lastRow, lastColumn) : to(row, lastColumn);
    default:
      return undefined;
  }
}

/** Moves the active row of the table that has the focus, or of the first one. */
export function moveRow(key: "ArrowDown" | "ArrowUp"): void {
  const grids = [...document.querySelectorAll<HTMLElement>("main [role=grid]")];
  const grid = grids.find((one) => one.contains(document.activeElement)) ?? grids[0];
  grid?.focus({ preventScroll: true });
  grid?.dispatchEvent(new KeyboardEvent("keydown", { key }));
}

/** The selection with keys added, or removed where they were selected. */
export function toggled(selected: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  const next = new Set(selected);
  for (const key of keys) {
    if (!next.delete(key)) next.add(key);
  }
  return next;
}

/** The indexes from one to the other, both included, in whichever direction. */
export function rangeOf(from: number, to: number): number[] {
  const first = Math.min(from, to);
  return Array.from({ length: Math.abs(from - to) + 1 }, (_, at) => first + at);
}
