import { CensusError, messageOf } from "../errors.ts";
import { clientErrorMark } from "./client-error-mark.ts";

/** What the engine says when it may not have the memory that it needs. */
const OUT_OF_MEMORY = /Out of Memory Error|failed to (?:allocate|pin)|std::bad_alloc/i;

interface ErrorClass {
  /** What the engine's text has. */
  readonly text: RegExp;
  readonly code: "bad-input" | "unavailable";
  /** What is said instead; `$1` is the expression's first group. */
  readonly says: string;
}

/** Errors of the engine that are no defects, by its words: the first that fits. */
const classes: readonly ErrorClass[] = [
  { text: new RegExp(`${clientErrorMark}(.*)`, "s"), code: "bad-input", says: "$1" },
  {
    text: /Max expression depth limit of (\d+)|Maximum recursion depth/,
    code: "bad-input",
    says: "the query is nested too deeply: its conditions and subqueries become more than the engine takes inside each other",
  },
  {
    text: /Parser Error: (?:memory exhausted|stack overflow)/i,
    code: "bad-input",
    says: "the query is too large or nested too deeply for the engine",
  },
  {
    text: /(?:pattern too large|bad repetition operator|invalid repetition size|missing \)|invalid character class|invalid perl operator)/i,
    code: "bad-input",
    says: "ERROR: invalid regular expression: regular expression is too complex",
  },
  {
    text: /(?:Out of Range|Conversion) Error: ([^\n]*)/,
    code: "bad-input",
    says: "the query cannot be computed over these values: $1",
  },
  {
    text: OUT_OF_MEMORY,
    code: "unavailable",
    says: "the query needs more memory than is free at present; narrow it, or try again later",
  },
];

/** Whether a statement failed because the engine may not have the memory that it needs. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // What is said to users is in other words, and may quote what they sent.
  if (error instanceof CensusError) return isOutOfMemory(error.cause);
  return OUT_OF_MEMORY.test(messageOf(error));
}

/** What a statement's failure is to its user; the error itself where it is a fault of ours. */
export function explainedError(error: unknown): unknown {
  if (error instanceof CensusError) return error;
  const message = messageOf(error);
  for (const { text, code, says } of classes) {
    const found = text.exec(message);
    if (found !== null)
      return new CensusError(
        code,
        says.replace("$1", () => found[1] ?? ""),
        { cause: error },
      );
  }
  return error;
}
