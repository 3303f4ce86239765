import { CensusError, messageOf } from "../errors.ts";
import { clientErrorMark } from "./client-error-mark.ts";

/** The engine's messages when it exceeds its memory limit. */
const OUT_OF_MEMORY = /Out of Memory Error|failed to (?:allocate|pin)|std::bad_alloc/i;

interface ErrorClass {
  /** The text in the engine's message. */
  readonly text: RegExp;
  readonly code: "bad-input" | "unavailable";
  /** The message for the client; `$1` is the first group of `text`. */
  readonly message: string;
}

/** Errors of the engine that are not defects, by its messages; the first that matches applies. */
const classes: readonly ErrorClass[] = [
  { text: new RegExp(`${clientErrorMark}(.*)`, "s"), code: "bad-input", message: "$1" },
  {
    text: /Max expression depth limit of (\d+)|Maximum recursion depth/,
    code: "bad-input",
    message:
      "the query is nested too deeply for the engine: its conditions and subqueries exceed the depth of an expression",
  },
  {
    text: /Parser Error: (?:memory exhausted|stack overflow)/i,
    code: "bad-input",
    message: "the query is too large or nested too deeply for the engine",
  },
  {
    text: /(?:pattern too large|bad repetition operator|invalid repetition size|missing \)|invalid character class|invalid perl operator)/i,
    code: "bad-input",
    message: "ERROR: invalid regular expression: regular expression is too complex",
  },
  {
    text: /(?:Out of Range|Conversion) Error: ([^\n]*)/,
    code: "bad-input",
    message: "the query cannot be computed over these values: $1",
  },
  {
    text: OUT_OF_MEMORY,
    code: "unavailable",
    message: "the query needs more memory than is free at present; narrow it, or try again later",
  },
];

/** Whether a statement failed because the engine exceeded its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Messages for clients may quote what they sent, so the engine's error is checked.
  if (error instanceof CensusError) return isOutOfMemory(error.cause);
  return OUT_OF_MEMORY.test(messageOf(error));
}

/** The error that a client gets for a failed statement; the error itself where it is a defect. */
export function explainedError(error: unknown): unknown {
  if (error instanceof CensusError) return error;
  const thrown = messageOf(error);
  for (const { text, code, message: template } of classes) {
    const found = text.exec(thrown);
    if (found !== null)
      return new CensusError(
        code,
        template.replace("$1", () => found[1] ?? ""),
        { cause: error },
      );
  }
  return error;
}
