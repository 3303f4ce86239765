import { messageOf } from "#storage/errors.ts";
import { oneLine } from "../errors.ts";

/** The parts of an error message with a position: heading, source line, caret and advice. */
const PLACED =
  /^(?:PQL|Json) parse error at line (?<line>\d+), column \d+:\n\n(?<excerpt>[^\n]*\n[^\n]*\^)\n(?:[^]*\n)?\n(?<advice>[^\n]+)$/;

/** A query error for people: a caret below its position, and how to fix it. */
export function queryErrorText(error: unknown, query: string): string {
  const { line, excerpt, advice } = PLACED.exec(messageOf(error).trimEnd())?.groups ?? {};
  if (excerpt === undefined) return oneLine(messageOf(error));
  const where = query.includes("\n") ? `line ${line}:\n` : "";
  return `${where}${excerpt}\n${advice}`;
}
