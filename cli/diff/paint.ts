import type { ValueChange } from "#storage/diff/values.ts";

/** How a line looks: what kind of difference it tells of, a heading, or an aside. */
export type Look = ValueChange["kind"] | "heading" | "aside";

/** Puts a line into the colours of a terminal. */
export type Paint = (look: Look, text: string) => string;

const styles: Readonly<Record<Look, readonly [on: number, off: number]>> = {
  added: [32, 39],
  removed: [31, 39],
  changed: [33, 39],
  heading: [1, 22],
  aside: [2, 22],
};

/** What stands before a line, for those who see no colours. */
export const marks: Readonly<Record<ValueChange["kind"], string>> = { added: "+", removed: "-", changed: "~" };

export const plain: Paint = (_look, text) => text;

export const coloured: Paint = (look, text) => {
  const [on, off] = styles[look];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};
