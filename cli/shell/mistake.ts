import { messageOf } from "#storage/errors.ts";
import { oneLine } from "../errors.ts";

/** The parts of a message that has a place: heading, source line, caret, and what to do. */
const PLACED =
  /^(?:PQL|Json) parse error at line (?<line>\d+), column \d+:\n\n(?<excerpt>[^\n]*\n[^\n]*\^)\n(?:[^]*\n)?\n(?<advice>[^\n]+)$/;

/** What went wrong with a question, as people are told of it: the place under a caret, and what to write instead. */
export function mistakeText(error: unknown, question: string): string {
  const { line, excerpt, advice } = PLACED.exec(messageOf(error).trimEnd())?.groups ?? {};
  if (excerpt === undefined) return oneLine(messageOf(error));
  const where = question.includes("\n") ? `line ${line}:\n` : "";
  return `${where}${excerpt}\n${advice}`;
}
