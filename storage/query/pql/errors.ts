import { clippedLine } from "#storage/clip.ts";
import { CensusError } from "#storage/errors.ts";
import { advise } from "./advice.ts";
import { END_LABELS } from "./grammar.ts";
import { placeOf } from "./place.ts";
import { tokenAt } from "./token.ts";

/**
 * PQL that does not parse (code "bad-input"). The message has several lines, formatted as PuppetDB's (reference/pql.md
 * §4), and ends with one sentence that says what to write instead.
 */
export class PqlSyntaxError extends CensusError {
  /** 1-based */
  readonly line: number;
  /** 1-based, in UTF-16 units */
  readonly column: number;
  /** The word or sign at that place; empty at the end of the query. */
  readonly found: string;
  /** The terminals that were possible there, as PuppetDB writes them: `}`, `group by`, `#"[0-9]+"`. */
  readonly expected: readonly string[];

  /**
   * @param index the furthest position at which a terminal did not match
   * @param expected the labels of the terminals that were tried there, each once
   */
  constructor(text: string, index: number, expected: readonly string[]) {
    const { line, column } = placeOf(text, index);
    const found = tokenAt(text, index);
    const advice = advise({ text, index, found, expected });
    super(
      "bad-input",
      `PQL parse error at line ${line}, column ${column}:\n\n${excerpt(text, line, column)}\n\n` +
        `${listOf(expected)}\n\n${advice}`,
    );
    this.name = "PqlSyntaxError";
    this.line = line;
    this.column = column;
    this.found = found;
    this.expected = expected;
  }
}

/** The line with the error, and the caret below it. */
function excerpt(text: string, line: number, column: number): string {
  // What PuppetDB prints for an empty query.
  if (text === "") return "null\nnull";
  // A carriage return ends the printed line, although it does not count as the end of a line.
  const source = clippedLine(text.split(/\r\n|\n|\r/)[line - 1] ?? "", column);
  return `${source.line}\n${source.column <= 1 ? "" : padding(source.line, source.column - 1)}^`;
}

/** Tabs are preserved, so that the caret is below its character; a character outside the basic plane is one space. */
function padding(source: string, width: number): string {
  const before = source.slice(0, width);
  return before.replace(/[^ \t\n\v\f\r]/gu, " ") + " ".repeat(width - before.length);
}

function listOf(expected: readonly string[]): string {
  const header = expected.length === 1 ? "Expected:\n" : "Expected one of:\n\n";
  const [lastTerminal] = END_LABELS;
  return (
    header +
    expected
      .map((label) => (label === lastTerminal ? label : `${label}\n`))
      .join("")
      .trimEnd()
  );
}
