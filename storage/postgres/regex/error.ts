import { CensusError } from "#storage/errors.ts";

/** PostgreSQL's messages about invalid patterns. */
const REASONS = {
  pattern: "invalid regexp (reg version 0.8)",
  collating: "invalid collating element",
  class: "invalid character class",
  escape: "invalid escape \\ sequence",
  backreference: "invalid backreference number",
  brackets: "brackets [] not balanced",
  parentheses: "parentheses () not balanced",
  braces: "braces {} not balanced",
  repetition: "invalid repetition count(s)",
  range: "invalid character range",
  operand: "quantifier operand invalid",
  option: "invalid embedded option",
  complex: "regular expression is too complex",
} as const;

export type RegexProblem = keyof typeof REASONS;

/**
 * A pattern that PostgreSQL would reject, or that could run forever. The message is PuppetDB's:
 * `ERROR: invalid regular expression: <reason>` (`reference/query.md` §4.2).
 */
export class RegexError extends CensusError {
  constructor(fault: RegexProblem, detail = "") {
    super("bad-input", `ERROR: invalid regular expression: ${REASONS[fault]}${detail}`);
    this.name = "RegexError";
  }
}
