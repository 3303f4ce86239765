/** Characters that take two columns of a terminal: East Asian wide and full-width forms, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
/** Characters that take none: combining marks, marks of direction. */
const NONE = /[\p{Mn}\p{Me}\u200b\u200e\u200f]/u;
const PLAIN = /^[\x20-\x7e]*$/;

/** Columns narrower than this say nothing. */
const NARROWEST = 8;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text cut to `width` columns, with `…` where something is missing. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = "";
  let used = 1;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    cut += character;
  }
  return `${cut}…`;
}

function characterWidth(character: string): number {
  if (WIDE.test(character)) return 2;
  return NONE.test(character) ? 0 : 1;
}

/**
 * Shares `available` columns among cells that would like to be `natural` wide: the narrow ones get what they want, the
 * wide ones equal parts of the rest.
 * @returns undefined when there are too many for any to be legible
 */
export function shareWidth(natural: readonly number[], available: number): number[] | undefined {
  const widths = [...natural];
  const narrowFirst = [...natural.keys()].sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  let left = available;
  for (const [position, index] of narrowFirst.entries()) {
    const share = Math.floor(left / (narrowFirst.length - position));
    const wanted = natural[index] ?? 0;
    if (share < wanted && share < NARROWEST) return undefined;
    widths[index] = Math.min(wanted, share);
    left -= Math.min(wanted, share);
  }
  return widths;
}
