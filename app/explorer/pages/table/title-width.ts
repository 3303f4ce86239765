import { textWidth } from "./text-width.ts";

/** The cell's padding. px */
const PADDING = 16;
/** The mark of the order beside the title. px */
const ORDER = 16;
/** On touch screens the menu of the column is always beside the title. px */
const MENU = 20;
/** Longer titles, such as paths of facts, are cut. px */
const WIDEST = 260;

const known = new Map<string, number>();

/** The width that the title of a column needs, px. The font is that of `.table-row-head`. */
export function titleWidth(title: string, { isSortable }: { readonly isSortable: boolean }): number {
  let width = known.get(title);
  if (width === undefined) {
    width = textWidth(title, "600 13px");
    known.set(title, width);
  }
  const beside = (isSortable ? ORDER : 0) + (matchMedia("(hover: none)").matches ? MENU : 0);
  return Math.min(WIDEST, width + PADDING + beside);
}
