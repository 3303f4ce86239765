import { stored, type Stored } from "../data/stored.ts";
import { useRef } from "preact/hooks";
import type { Column } from "./column.ts";

/** Widths of columns that were changed in this browser, px by column. */
export type Widths = Readonly<Record<string, number>>;

export const NARROWEST = 48;
export const WIDEST = 1200;

/** The widths that were chosen for a table. */
export function storedWidths(table: string): Stored<Widths> {
  return stored<Widths>(`widths.${table}`, {
    read: (value) =>
      typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value).flatMap(([key, width]) => (typeof width === "number" ? [[key, limited(width)]] : [])),
          )
        : undefined,
    fallback: {},
  });
}

/** A width that can be shown. */
export function limited(width: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}

let context: CanvasRenderingContext2D | null | undefined;

/**
 * The width of a text in the font of the page, px.
 * @param style weight and size of the font, as in CSS: "600 13px"
 */
export function textWidth(text: string, style: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (context === null) return 0;
  context.font = `${style} ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(context.measureText(text).width);
}

/** The cell's padding, and what rounding may cut. px */
const PADDING = 18;
/** A shape before the text, and the frames of what is after a comma. px */
const SHAPE = 20;
const FRAME = 14;

/**
 * The widths that columns need for the texts that were seen, px by key. They never shrink while the table is there, so that
 * columns do not jump while one scrolls.
 */
export function useFittedWidths<Row>(
  columns: readonly Column<Row>[],
  seen: readonly (Row | undefined)[],
): ReadonlyMap<string, number> {
  const widths = useRef(new Map<string, number>()).current;
  for (const { key, text, fits, hasShape = false } of columns) {
    if (fits === undefined || text === undefined) continue;
    for (const row of seen) {
      const shown = row === undefined ? undefined : text(row);
      if (shown === undefined) continue;
      const beside = hasShape ? SHAPE + FRAME * (shown.split(",").length - 1) : 0;
      const needed = Math.min(fits, textWidth(shown, "13px") + PADDING + beside);
      if (needed > (widths.get(key) ?? 0)) widths.set(key, needed);
    }
  }
  return widths;
}
