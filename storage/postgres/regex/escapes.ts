import { ESCAPED_CLASSES } from "./charset.ts";
import { RegexError } from "./error.ts";
import type { Reader } from "./reader.ts";
import type { CharSet, Place } from "./tree.ts";

export type Escape =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "class"; readonly set: CharSet }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "reference"; readonly number: number };

/** `\b` is a backspace and `\B` a backslash: word boundaries are `\y` and `\Y` here. */
const CHARACTERS: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  B: 0x5c,
  e: 0x1b,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
};

const PLACES: Readonly<Record<string, Place>> = {
  A: "text-start",
  Z: "text-end",
  m: "word-start",
  M: "word-end",
  y: "word-edge",
  Y: "not-word-edge",
};

/** Minimum and maximum hexadecimal digits. */
const HEXADECIMAL: Readonly<Record<string, readonly [number, number]>> = { u: [4, 4], U: [8, 8], x: [1, 255] };

/** The largest character code in PostgreSQL's engine, far beyond Unicode. */
const LARGEST_CODE = 0x7ffffffe;

/**
 * Reads the rest of an escape in an advanced regular expression, after the backslash.
 * @param groups number of capturing groups opened before, which decides the meaning of `\12`
 * @throws RegexError for an invalid escape
 */
export function readEscape(reader: Reader, groups: number): Escape {
  if (reader.done) throw new RegexError("escape");
  const letter = reader.next();
  if (!/[a-z0-9]/i.test(letter)) return character(letter.codePointAt(0) ?? 0);
  const code = CHARACTERS[letter];
  if (code !== undefined) return character(code);
  const set = ESCAPED_CLASSES[letter];
  if (set) return { kind: "class", set };
  const place = PLACES[letter];
  if (place) return { kind: "place", place };
  const digits = HEXADECIMAL[letter];
  if (digits) return character(hexadecimal(reader, digits));
  if (letter === "c") return controlCharacter(reader);
  if (/\d/.test(letter)) return referenceOrOctal(reader, letter, groups);
  throw new RegexError("escape");
}

function character(code: number): Escape {
  return { kind: "character", code };
}

function hexadecimal(reader: Reader, [fewest, most]: readonly [number, number]): number {
  const digits = reader.takeWhile(/[\da-f]/i, most);
  const code = Number.parseInt(digits, 16);
  if (digits.length < fewest || code > LARGEST_CODE) throw new RegexError("escape");
  return code;
}

function controlCharacter(reader: Reader): Escape {
  if (reader.done) throw new RegexError("escape");
  return character((reader.next().codePointAt(0) ?? 0) & 0x1f);
}

/** One digit is a back-reference; several are one if there are that many groups, otherwise an octal code. */
function referenceOrOctal(reader: Reader, first: string, groups: number): Escape {
  if (first !== "0") {
    const more = reader.takeWhile(/\d/, 254);
    const number = Number(first + more);
    if (more === "" || number <= groups) return { kind: "reference", number };
    reader.back(more.length);
  }
  reader.back(1);
  const digits = reader.takeWhile(/[0-7]/, 3);
  if (digits === "") throw new RegexError("escape");
  const code = Number.parseInt(digits, 8);
  if (code <= 0xff) return character(code);
  reader.back(1);
  return character(code >> 3);
}
