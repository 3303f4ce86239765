/** Line ends and other control characters as escapes: a value must not move the cursor. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, escaped);
}

/**
 * Characters without a shape, or that change the order of others: bidirectional controls, zero-width ones, lone
 * surrogates. Those that join letters or choose the form of an emoji are harmless.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb[\p{Default_Ignorable_Code_Point}--[\p{Variation_Selector}\u200c-\u200f\u{e0020}-\u{e007f}]]]/gv;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The same for a cell of a table, where every character must take the columns that it is expected to take. */
export function printableCell(text: string): string {
  return text.replace(INVISIBLE, escaped);
}

/** A part of a line in its own direction, so that right-to-left text does not move its neighbours. */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

function escaped(character: string): string {
  const escape = JSON.stringify(character).slice(1, -1);
  if (escape.startsWith("\\")) return escape;
  // JSON writes these as they are, but to some terminals they are as good as escape sequences.
  const code = character.codePointAt(0) ?? 0;
  return code > 0xff_ff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
