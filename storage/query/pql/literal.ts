import type { ExactNumber, Json } from "#storage/json.ts";
import { exactNumber } from "#storage/json.ts";
import { DIGITS } from "./grammar.ts";
import type { OperandSyntax } from "../spellings.ts";
import type { Scanner } from "./scanner.ts";

type ParseValue = (scanner: Scanner) => Json | undefined;

/**
 * The parser of each kind of right-hand side of a comparison; undefined where it does not match (reference/pql.md §1
 * and §2).
 */
export const OPERANDS: Readonly<Record<OperandSyntax, ParseValue>> = {
  string: parseString,
  strings: (scanner) => parseList(scanner, parseString),
  ordered: (scanner) => parseNumber(scanner) ?? parseString(scanner),
  literal: parseLiteral,
};

/** Reads a list of literals in brackets. Lists may be nested but not empty. */
export function parseArray(scanner: Scanner): Json[] | undefined {
  return parseList(scanner, parseLiteral);
}

function parseLiteral(scanner: Scanner): Json | undefined {
  return parseString(scanner) ?? parseNumber(scanner) ?? parseBoolean(scanner) ?? parseArray(scanner);
}

function parseBoolean(scanner: Scanner): boolean | undefined {
  if (scanner.literal("true")) return true;
  return scanner.literal("false") ? false : undefined;
}

function parseList(scanner: Scanner, parseItem: ParseValue): Json[] | undefined {
  if (!scanner.literal("[")) return undefined;
  scanner.enter();
  const list: Json[] = [];
  do {
    scanner.space();
    const item = parseItem(scanner);
    if (item === undefined) return undefined;
    list.push(item);
    scanner.space();
  } while (scanner.literal(","));
  if (!scanner.literal("]")) return undefined;
  scanner.leave();
  return list;
}

/** Reads a 64-bit integer; one out of range is recorded as a fault. */
export function parseInteger(scanner: Scanner): number | ExactNumber | undefined {
  const start = scanner.position;
  scanner.literal("-");
  if (scanner.pattern(DIGITS) !== undefined) return integer(scanner, start);
  scanner.position = start;
  return undefined;
}

function parseNumber(scanner: Scanner): number | ExactNumber | undefined {
  const start = scanner.position;
  scanner.literal("-");
  if (scanner.pattern(DIGITS) === undefined) {
    scanner.position = start;
    return undefined;
  }
  const whole = scanner.position;
  if (scanner.literal(".") && scanner.pattern(DIGITS) !== undefined) {
    readExponent(scanner);
    return real(scanner, start);
  }
  scanner.position = whole;
  return integer(scanner, start);
}

function readExponent(scanner: Scanner): void {
  const start = scanner.position;
  if (!scanner.literal("e") && !scanner.literal("E")) return;
  if (!scanner.literal("+")) scanner.literal("-");
  if (scanner.pattern(DIGITS) === undefined) scanner.position = start;
}

function integer(scanner: Scanner, start: number): number | ExactNumber {
  const text = scanner.text.slice(start, scanner.position);
  // Checked as text first: thousands of digits are slow to convert.
  const digits = text.replace(/^(-?)0+(?=[0-9])/, "$1");
  const value = digits.length <= "-9223372036854775808".length ? BigInt(digits) : undefined;
  if (value !== undefined && BigInt.asIntN(64, value) === value) return exactNumber(String(value));
  scanner.rejectValue(start, () => `For input string: "${text}"`);
  return 0;
}

function real(scanner: Scanner, start: number): number | ExactNumber {
  const text = scanner.text.slice(start, scanner.position);
  const value = Number(text);
  if (!Number.isFinite(value)) {
    scanner.rejectValue(start, (place) => `The number ${text} at ${place} is beyond the range of a double`);
    return 0;
  }
  return Number.isInteger(value) ? exactNumber(integralReal(value)) : value;
}

/** A whole number written so that it remains a real: `5.0`, `-0.0`, `1.0E+21`. */
function integralReal(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  const [mantissa = text, exponent] = text.split("e");
  const fraction = mantissa.includes(".") ? mantissa : `${mantissa}.0`;
  // The capital letter distinguishes `1.5E+300` from the text of a plain JavaScript number.
  return exponent === undefined ? fraction : `${fraction}E${exponent}`;
}

/** Reads a string in either kind of quotes. */
export function parseString(scanner: Scanner): string | undefined {
  return parseQuoted(scanner, '"', decodeDouble) ?? parseQuoted(scanner, "'", decodeSingle);
}

type Decode = (body: string, scanner: Scanner, start: number) => string;

function parseQuoted(scanner: Scanner, quote: string, decode: Decode): string | undefined {
  const opening = scanner.position;
  if (!scanner.literal(quote)) return undefined;
  const start = scanner.position;
  scanner.position = endOfBody(scanner.text, start, quote);
  const end = scanner.position;
  if (scanner.literal(quote)) return decode(scanner.text.slice(start, end), scanner, start);
  scanner.position = opening;
  return undefined;
}

/**
 * Where the body of a string ends: at its quote, at a backslash that escapes nothing on its line, or at the end of the
 * text.
 */
function endOfBody(text: string, start: number, quote: string): number {
  let index = start;
  while (index < text.length) {
    const character = text[index];
    if (character === quote) return index;
    if (character !== "\\") index += 1;
    else if (/^[^\n\r\u0085\u2028\u2029]/.test(text.charAt(index + 1))) index += 2;
    else return index;
  }
  return index;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "/": "/",
  "\\": "\\",
  '"': '"',
};

/** Double-quoted strings have JSON escapes; raw line breaks are allowed. */
function decodeDouble(body: string, scanner: Scanner, start: number): string {
  if (!body.includes("\\")) return body;
  return body.replace(
    /\\(?:u([0-9a-fA-F]{4})|([^]))/g,
    (escape, hex: string | undefined, letter: string, at: number) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      const character = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
      if (character !== undefined) return character;
      scanner.rejectValue(
        start + at,
        (place) => `${escape} at ${place} is not an escape of a double-quoted text: write \\${escape}`,
      );
      return escape;
    },
  );
}

/** Single-quoted strings have one escape, of the quote itself; every other backslash is literal. */
function decodeSingle(body: string): string {
  return body.replaceAll(String.raw`\'`, "'");
}
