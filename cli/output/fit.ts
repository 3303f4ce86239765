import stringWidth from "string-width";

const PLAIN = /^[\x20-\x7e]*$/;
/** A long word is preferably broken after one of these, else after one of those, else anywhere. */
const BEST_BREAKS = /[/\\,;|]/;
const OTHER_BREAKS = /[.:\-_=&?@)\]}>]/;
/** A longer gap at the end of a line is filled with a part of the next word. */
const WIDEST_GAP = 1 / 4;
/** A longer one is not left for the sake of a better break. */
const WIDEST_GAP_IN_WORD = 1 / 2;
/** UTF-16 units for each column of the result that are looked at; emoji of families have about ten. */
const UNITS_PER_COLUMN = 16;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true });
}

/** The text cut to `width` columns, with `…` where something is missing. */
export function cutToWidth(text: string, width: number): string {
  const [line = ""] = wrapToWidth(text, width, 1).lines;
  return line;
}

/** A text in lines. */
export interface Wrapped {
  readonly lines: readonly string[];
  /** The last line ends with `…`, since there is more. */
  readonly isCut: boolean;
}

/**
 * Wraps a text to at most `limit` lines of `width` columns: at blanks, within long words after punctuation, else
 * anywhere between two characters as people see them.
 */
export function wrapToWidth(text: string, width: number, limit: number): Wrapped {
  if (width === Number.POSITIVE_INFINITY || (text.length <= width && PLAIN.test(text))) {
    return { lines: [text], isCut: false };
  }
  const longest = (width * limit + 1) * UNITS_PER_COLUMN;
  const pieces = piecesOf(text.slice(0, longest).replace(/[\ud800-\udbff]$/, ""), width);
  const lines: string[] = [];
  let start = 0;
  while (start < pieces.length) {
    const end = endOfLine(pieces, start, width);
    const isWhole = end === pieces.length && text.length <= longest;
    if (isWhole || lines.length === limit - 1) {
      const shown = isWhole ? end : endOfLine(pieces, start, width - 1);
      const line = textOfPieces(pieces, start, shown);
      lines.push(isWhole ? line : `${line.trimEnd()}…`);
      return { lines, isCut: !isWhole };
    }
    const next = breakBefore(pieces, start, end);
    lines.push(textOfPieces(pieces, start, next).trimEnd());
    start = next;
    while (pieces[start]?.text === " ") start++;
  }
  return { lines: lines.length === 0 ? [""] : lines, isCut: false };
}

/** A word that is longer than its beginning, its end and a few more; addresses of downloads are. */
const LONG_WORD = /(\S{22})\S{4,}(\S{16})(?!\S)/gu;

/** In a narrower cell, the last words of a text that is cut leave too little of its beginning. */
const NARROWEST_WITH_END = 48;
/** The part of the last line that the last words of a text have at most. */
const WIDEST_END = 1 / 3;

/**
 * The lines of a table's cell. The end of a text often has the reason of a failure, so long words lose their middles
 * before it is cut off, and the last words are kept where there is space for them.
 */
export function cellLines(text: string, width: number, limit: number): readonly string[] {
  const whole = wrapToWidth(text, width, limit);
  if (!whole.isCut) return whole.lines;
  const most = width * limit * UNITS_PER_COLUMN;
  const short = text.slice(0, most).replace(LONG_WORD, "$1…$2") + text.slice(most);
  const { lines, isCut } = wrapToWidth(short, width, limit);
  const end = isCut && width >= NARROWEST_WITH_END ? lastWords(short, Math.floor(width * WIDEST_END)) : "";
  if (end === "") return lines;
  return [...lines.slice(0, -1), `${cutToWidth(lines.at(-1) ?? "", width - displayWidth(end) - 1)} ${end}`];
}

/** The last words of a text that take at most `width` columns. */
function lastWords(text: string, width: number): string {
  const words = text.slice(-width).split(" ").slice(1);
  while (displayWidth(words.join(" ")) > width) words.shift();
  return words.join(" ").trim();
}

/** A character as people see it, with the columns that it takes. */
interface Piece {
  readonly text: string;
  readonly width: number;
}

/** The characters of a text; one that is wider than a line is replaced. */
function piecesOf(text: string, widest: number): Piece[] {
  if (PLAIN.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 }));
  return Array.from(graphemes.segment(text), ({ segment }) => {
    const width = displayWidth(segment);
    return width > widest ? { text: "…", width: 1 } : { text: segment, width };
  });
}

/** The first piece that does not fit into a line; at least one does. */
function endOfLine(pieces: readonly Piece[], start: number, width: number): number {
  let used = 0;
  for (let index = start; index < pieces.length; index++) {
    used += pieces[index]?.width ?? 0;
    if (used > width) return Math.max(index, start);
  }
  return pieces.length;
}

/** Where the next line begins if at most the pieces before `end` fit into this one. */
function breakBefore(pieces: readonly Piece[], start: number, end: number): number {
  if (pieces[end]?.text === " ") return end;
  const blank = lastPlace(pieces, start, end, (text) => text === " ");
  if (blank !== undefined && end - blank <= (end - start) * WIDEST_GAP) return blank;
  const begin = blank ?? start - 1;
  const best = lastPlace(pieces, begin, end, (text) => BEST_BREAKS.test(text));
  if (best !== undefined && end - best - 1 <= (end - start) * WIDEST_GAP_IN_WORD) return best + 1;
  const other = lastPlace(pieces, begin, end, (text) => OTHER_BREAKS.test(text)) ?? best;
  return other === undefined ? (blank ?? Math.max(end, start + 1)) : other + 1;
}

/** The last of the pieces after `start` and before `end` that is such. */
function lastPlace(
  pieces: readonly Piece[],
  start: number,
  end: number,
  isSuch: (text: string) => boolean,
): number | undefined {
  for (let index = end - 1; index > start; index--) if (isSuch(pieces[index]?.text ?? "")) return index;
  return undefined;
}

function textOfPieces(pieces: readonly Piece[], start: number, end: number): string {
  let text = "";
  for (let index = start; index < end; index++) text += pieces[index]?.text ?? "";
  return text;
}

/**
 * Distributes `available` columns among cells of `natural` widths: narrow ones get all that they need, the
 * wide ones equal parts of the rest.
 */
export function shareWidth(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  const narrowFirst = [...natural.keys()].sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  let left = available;
  for (const [position, index] of narrowFirst.entries()) {
    const share = Math.floor(left / (narrowFirst.length - position));
    widths[index] = Math.max(0, Math.min(natural[index] ?? 0, share));
    left -= widths[index];
  }
  return widths;
}
