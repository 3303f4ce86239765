import type { CharSet, Range } from "./tree.ts";

/** The last code point of Unicode; patterns may name later ones, which no text contains. */
export const LAST_CODE_POINT = 0x10ffff;

const EMPTY: CharSet = { negated: false, ranges: [], categories: [], nonWord: false };

/** Every character. */
export const ANYTHING: CharSet = { ...EMPTY, negated: true };
export const ANYTHING_BUT_NEWLINE: CharSet = { ...ANYTHING, ranges: [[0x0a, 0x0a]] };

const ALPHA = ["L", "Nl"];
const BLANKS: readonly Range[] = [
  [0x09, 0x09],
  [0x20, 0x20],
  [0x1680, 0x1680],
  [0x2000, 0x2006],
  [0x2008, 0x200a],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
const SPACES: readonly Range[] = [...BLANKS, [0x0a, 0x0d], [0x2028, 0x2029]];
const DIGITS: readonly Range[] = [[0x30, 0x39]];
const HEX_LETTERS: readonly Range[] = [
  [0x41, 0x46],
  [0x61, 0x66],
];

/**
 * The character classes of a UTF-8 locale of the GNU C library, which PuppetDB's database uses: no-break spaces are not
 * spaces, only ASCII digits are digits. Where that library follows a derived property that RE2 has no name for, the
 * nearest general categories are used (combining marks are never letters here).
 */
const CLASSES: Readonly<Record<string, Partial<CharSet>>> = {
  alnum: { categories: [...ALPHA, "Nd"] },
  alpha: { categories: ALPHA },
  ascii: { ranges: [[0, 0x7f]] },
  blank: { ranges: BLANKS },
  cntrl: {
    ranges: [
      [0, 0x1f],
      [0x7f, 0x9f],
      [0x2028, 0x2029],
    ],
  },
  digit: { ranges: DIGITS },
  graph: { categories: ["L", "M", "N", "P", "S", "Cf", "Co"] },
  lower: { categories: ["Ll"] },
  print: { categories: ["L", "M", "N", "P", "S", "Cf", "Co", "Zs"] },
  punct: { categories: ["P", "S", "M", "No", "Cf", "Co"] },
  space: { ranges: SPACES },
  upper: { categories: ["Lu"] },
  word: { ranges: [[0x5f, 0x5f]], categories: [...ALPHA, "Nd"] },
  xdigit: { ranges: [...DIGITS, ...HEX_LETTERS] },
};

/** The set of `[:name:]`, or undefined. When case is ignored, `lower` and `upper` contain all letters. */
export function characterClass(name: string, ignoreCase: boolean): CharSet | undefined {
  const found = ignoreCase && (name === "lower" || name === "upper") ? "alpha" : name;
  return Object.hasOwn(CLASSES, found) ? { ...EMPTY, ...CLASSES[found] } : undefined;
}

/** The characters of a word for `\w` and word boundaries. */
export const WORD: CharSet = { ...EMPTY, ...CLASSES["word"] };

/** The class escapes. */
export const ESCAPED_CLASSES: Readonly<Record<string, CharSet>> = {
  d: { ...EMPTY, ranges: DIGITS },
  D: { ...EMPTY, ranges: complement(DIGITS) },
  s: { ...EMPTY, ranges: SPACES },
  S: { ...EMPTY, ranges: complement(SPACES) },
  w: WORD,
  W: { ...EMPTY, nonWord: true },
};

/** The characters from `first` to `last`, with their other cases if case is ignored. */
export function characters(first: number, last: number, ignoreCase: boolean): CharSet {
  const ranges: Range[] = [[first, last]];
  const add = (others: readonly number[]): void => {
    for (const other of others) ranges.push([other, other]);
  };
  // The cases of few characters are found without {@link otherCases}, which takes long the first time.
  if (ignoreCase && last - first < 1000) {
    for (let code = first; code <= last; code++) add(casesOf(code));
  } else if (ignoreCase) {
    for (const [code, others] of otherCases()) if (code >= first && code <= last) add(others);
  }
  return { ...EMPTY, ranges: merge(ranges) };
}

/** The characters of any of `sets` (none of which is negated). */
export function union(sets: readonly CharSet[], negated: boolean): CharSet {
  return {
    negated,
    ranges: merge(sets.flatMap((set) => set.ranges)),
    categories: [...new Set(sets.flatMap((set) => set.categories))],
    nonWord: sets.some((set) => set.nonWord),
  };
}

function complement(ranges: readonly Range[]): Range[] {
  const gaps: Range[] = [];
  let next = 0;
  for (const [first, last] of merge(ranges)) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  return [...gaps, [next, LAST_CODE_POINT]];
}

/** The same characters in order, with as few ranges as possible. */
function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1) merged[merged.length - 1] = [previous[0], Math.max(previous[1], last)];
    else merged.push([first, last]);
  }
  return merged;
}

/** The lower and upper case of a character that has them, as single characters (so not for ß), without itself. */
function casesOf(code: number): readonly number[] {
  const text = String.fromCodePoint(code);
  return [text.toLowerCase(), text.toUpperCase()]
    .map((other) => ({ other, first: other.codePointAt(0) ?? code }))
    .filter(({ other, first }) => first !== code && other === String.fromCodePoint(first))
    .map(({ first }) => first);
}

let cases: ReadonlyMap<number, readonly number[]> | undefined;

/** {@link casesOf} every character that has others. */
function otherCases(): ReadonlyMap<number, readonly number[]> {
  // No character after the second plane has cases.
  cases ??= new Map(
    Array.from({ length: 0x20000 }, (_, code) => [code, casesOf(code)] as const).filter(
      ([, others]) => others.length > 0,
    ),
  );
  return cases;
}
