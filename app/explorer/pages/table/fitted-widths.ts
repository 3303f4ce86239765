import { useRef } from "preact/hooks";
import type { Column } from "./column.ts";
import { textWidth } from "./text-width.ts";

/** The cell's padding, and what rounding may cut. px */
const PADDING = 18;

/**
 * The widths that columns need for the texts that were seen, px by key. They never shrink while the table is there, so that
 * columns do not jump while one scrolls.
 */
export function useFittedWidths<Row>(
  columns: readonly Column<Row>[],
  seen: readonly (Row | undefined)[],
): ReadonlyMap<string, number> {
  const widths = useRef(new Map<string, number>()).current;
  for (const { key, text, fits } of columns) {
    if (fits === undefined || text === undefined) continue;
    for (const row of seen) {
      const shown = row === undefined ? undefined : text(row);
      if (shown === undefined) continue;
      const needed = Math.min(fits, textWidth(shown, "13px") + PADDING);
      if (needed > (widths.get(key) ?? 0)) widths.set(key, needed);
    }
  }
  return widths;
}
