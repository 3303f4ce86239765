import { clippedLine } from "../../clip.ts";
import { QueryError } from "../errors.ts";

/** A place in a text, both counted from 1; a line ends with `\n`, `\r\n` or `\r`. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

const LINE_END = /\r\n?|\n/g;

/** Line and column of the character at `offset`. */
export function placeOf(text: string, offset: number): TextPlace {
  let [line, start] = [1, 0];
  for (const end of text.slice(0, offset).matchAll(LINE_END)) {
    line++;
    start = end.index + end[0].length;
  }
  return { line, column: offset - start + 1 };
}

/** The line that starts at `start`. */
function lineAt(text: string, start: number): string {
  const rest = text.slice(start);
  const end = rest.search(/[\r\n]/);
  return end < 0 ? rest : rest.slice(0, end);
}

/**
 * The error for a malformed JSON text, formatted as PuppetDB's: place, source line, caret, description
 * (`reference/query.md §9.1`).
 * @param offset how far the text was read: one more than the index of the unexpected character
 */
export function jsonError(text: string, offset: number, message: string): QueryError {
  const { line, column } = placeOf(text, offset);
  const source = clippedLine(lineAt(text, offset - column + 1), column);
  const caret = `${" ".repeat(Math.max(0, source.column - 2))}^`;
  return new QueryError(
    `Json parse error at line ${line}, column ${column}:\n\n${source.line}\n${caret}\n\n${message}`,
  );
}

/** A character in a sentence: `'x' (code 120)`, `'€' (code 8364 / 0x20ac)`, `(CTRL-CHAR, code 0)`. */
export function describeCharacter(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return `(CTRL-CHAR, code ${code})`;
  const hex = code > 0xff ? ` / 0x${code.toString(16)}` : "";
  return `'${String.fromCodePoint(code)}' (code ${code}${hex})`;
}
