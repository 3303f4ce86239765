import { clippedLine } from "../../clip.ts";
import { QueryError } from "../errors.ts";

/** A place in a text, both counted from 1; a line ends with `\n`, `\r\n` or `\r`. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const LINE_END = /\r\n?|\n/g;

/** Where the character at `offset` stands. */
export function placeOf(text: string, offset: number): Place {
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
 * The refusal of a malformed JSON text, laid out as the peer does: place, source line, caret, what is wrong
 * (`reference/query.md §9.1`).
 * @param offset how far the text had been read, that is one more than the index of a character that does not belong
 */
export function jsonFault(text: string, offset: number, message: string): QueryError {
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
