import { CensusError } from "#storage/errors.ts";

/** The ways a pattern can be wrong, in PostgreSQL's words. */
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

export type RegexFault = keyof typeof REASONS;

/**
 * A pattern that PostgreSQL would refuse, or that could take us for ever. The text is PuppetDB's own:
 * `ERROR: invalid regular expression: <reason>` (`reference/query.md` §4.2).
 */
export class RegexError extends CensusError {
  constructor(fault: RegexFault, detail = "") {
    super("bad-input", `ERROR: invalid regular expression: ${REASONS[fault]}${detail}`);
    this.name = "RegexError";
  }
}
