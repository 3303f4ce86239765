import type { ValueChange } from "#storage/diff/values.ts";
import { type Paint, style } from "../colours.ts";

/** The style of a line: a kind of difference, a heading, or an aside. */
export type Look = ValueChange["kind"] | "heading" | "aside";

/** The mark at the start of a line, for output without colours. */
export const marks: Readonly<Record<ValueChange["kind"], string>> = { added: "+", removed: "-", changed: "~" };

/** The style of each look on a terminal. */
export const looks: Readonly<Record<Look, Paint>> = {
  added: style(32, 39),
  removed: style(31, 39),
  changed: style(33, 39),
  heading: style(1, 22),
  aside: style(90, 39),
};
