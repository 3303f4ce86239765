import type { ValueChange } from "#storage/diff/values.ts";
import { type Paint, style } from "../colours.ts";

/** How a line looks: what kind of difference it tells of, a heading, or an aside. */
export type Look = ValueChange["kind"] | "heading" | "aside";

/** What stands before a line, for those who see no colours. */
export const marks: Readonly<Record<ValueChange["kind"], string>> = { added: "+", removed: "-", changed: "~" };

/** The style of each look on a terminal. */
export const looks: Readonly<Record<Look, Paint>> = {
  added: style(32, 39),
  removed: style(31, 39),
  changed: style(33, 39),
  heading: style(1, 22),
  aside: style(90, 39),
};
