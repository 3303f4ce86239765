import { describeCharacter, jsonError } from "./json-error.ts";

/**
 * The tokens of JSON as PuppetDB's parser reads them. Each function takes the offset of the first character of a token,
 * returns the offset after the token, and throws PuppetDB's error for a malformed one (`reference/query.md §9.1`).
 */

const VALID_VALUE = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

/** The error for the character at `at`, or for the end of the text. */
export function unexpected(text: string, at: number, expected: string): Error {
  const code = text.codePointAt(at);
  if (code === undefined) return jsonError(text, at, `Unexpected end-of-input: ${expected}`);
  return jsonError(text, at + 1, `Unexpected character (${describeCharacter(code)}): ${expected}`);
}

/** The offset after any blanks; only JSON's four blanks are allowed between tokens. */
export function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at++;
  if (text[at] === "/") throw unexpected(text, at, "maybe a (non-standard) comment?");
  const code = text.charCodeAt(at);
  if (code >= 0x20 || at === text.length) return at;
  const only = "only regular white space (\\r, \\n, \\t) is allowed between tokens";
  throw jsonError(text, at + 1, `Illegal character (${describeCharacter(code)}): ${only}`);
}

/**
 * The offset after the string whose opening quote is at `start`. Control characters are allowed in it.
 * @param unclosed the rest of the message if the text ends inside the string
 */
export function stringEnd(text: string, start: number, unclosed: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at = escapeEnd(text, at) - 1;
  }
  throw jsonError(text, text.length, `Unexpected end-of-input${unclosed}`);
}

function escapeEnd(text: string, start: number): number {
  const kind = text.charAt(start + 1);
  const end = start + (kind === "u" ? 6 : 2);
  for (let at = start + 2; at < end && at < text.length; at++) {
    if (/[\da-f]/i.test(text.charAt(at))) continue;
    throw unexpected(text, at, "expected a hex-digit for character escape sequence");
  }
  if (end > text.length) throw jsonError(text, text.length, "Unexpected end-of-input in character escape sequence");
  if ('"\\/bfnrtu'.includes(kind)) return end;
  const described = describeCharacter(text.codePointAt(start + 1) ?? 0);
  throw jsonError(text, start + 2, `Unrecognized character escape ${described}`);
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Beginnings of invalid numbers; the error names the character after the beginning. */
const BROKEN_NUMBERS: readonly { beginning: RegExp; complaint: string }[] = [
  { beginning: /(?=\+)/y, complaint: "JSON spec does not allow numbers to have plus signs" },
  { beginning: /-(?!\d)/y, complaint: "expected digit (0-9) to follow minus sign, for valid numeric value" },
  { beginning: /-?\d+\.(?!\d)/y, complaint: "Decimal point not followed by a digit" },
  {
    beginning: /-?\d+(?:\.\d+)?[eE](?:[+-](?!\d)|(?![-+\d]))/y,
    complaint: "Exponent indicator not followed by a digit",
  },
];

/** The offset after the scalar that starts at `start`: a string, a number, true, false or null. */
export function scalarEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return stringEnd(text, start, ": was expecting closing quote for a string value");
  if (/[-+\d]/.test(first)) return numberEnd(text, start);
  if (IDENTIFIER_START.test(first)) return wordEnd(text, start);
  throw unexpected(text, start, first === "}" ? "expected a value" : `expected a valid value ${VALID_VALUE}`);
}

function numberEnd(text: string, start: number): number {
  const infinity = matchAt(/-(?:INF|Infinity)/y, text, start);
  if (infinity) throw nonStandard(text, start, infinity);
  if (text.startsWith("-.", start)) throw unexpected(text, start + 1, `expected a valid value ${VALID_VALUE}`);
  const zero = matchAt(/-?0(?=\d)/y, text, start);
  if (zero) throw jsonError(text, start + zero.length, "Invalid numeric value: Leading zeroes not allowed");
  for (const { beginning, complaint } of BROKEN_NUMBERS) {
    const found = matchAt(beginning, text, start);
    if (found === undefined) continue;
    const at = start + found.length;
    const code = text.codePointAt(at);
    if (code === undefined) throw jsonError(text, at, `Unexpected end-of-input in numeric value: ${complaint}`);
    const read = found.length < 2 ? at + 1 : at;
    throw jsonError(text, read, `Unexpected character (${describeCharacter(code)}) in numeric value: ${complaint}`);
  }
  return start + (matchAt(NUMBER, text, start)?.length ?? 0);
}

const IDENTIFIER_START = /[\p{L}\p{Nl}\p{Sc}\p{Pc}]/u;
const WORD = /[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}]+/uy;
/** Maximum characters of a word in a message. */
const LONGEST_WORD = 256;

function wordEnd(text: string, start: number): number {
  const word = matchAt(WORD, text, start) ?? "";
  if (word === "true" || word === "false" || word === "null") return start + word.length;
  if (word === "NaN" || word === "Infinity") throw nonStandard(text, start, word);
  const shown = word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}...` : word;
  throw jsonError(
    text,
    start + Math.min(word.length, LONGEST_WORD),
    `Unrecognized token '${shown}': was expecting ${VALID_VALUE}`,
  );
}

function nonStandard(text: string, start: number, token: string): Error {
  return jsonError(text, start + token.length, `Non-standard token '${token}': numbers of JSON are finite`);
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}
