import { CensusError, messageOf } from "../errors.ts";
import { clientErrorMark } from "./client-error-mark.ts";
import { isWriteFault } from "./faults.ts";

/** The engine's messages when it exceeds its memory limit. */
const OUT_OF_MEMORY = /Out of Memory Error|failed to (?:allocate|pin)|std::bad_alloc/i;

interface ErrorClass {
  /** The text in the engine's message. */
  readonly text: RegExp;
  readonly code: "bad-input" | "unavailable";
  /** The message for the client; `$1` is the first group of `text`. */
  readonly message: string;
}

const FAILURE =
  "the database engine failed to compute the result; try again later, or write the query differently; the log of the service has the details";

/** The beginning of the engine's messages about statements, e.g. `Binder Error: `. */
const ENGINE_ERROR =
  /^(?:Invalid|Invalid Input|Invalid type|Out of Range|Out Of Range|Conversion|Cast|Decimal|Mismatch Type|Divide by Zero|Object Size|Unknown Type|Not implemented|Binder|Catalog|Parser|Syntax|Planner|Scheduler|Executor|Expression|Optimizer|Constraint|Dependency|Sequence|Settings|Parameter Not Allowed|Missing Extension|Extension Autoloading|Invalid Configuration|NullPointer|Null pointer|INTERNAL|INTERRUPT|FATAL|TransactionContext|Transaction|Connection|Network|Permission|Stat|Index|Serialization|HTTP|IO|Unrecognized|Unknown) Error: |^(?:Failed to (?:query|prepare|execute|fetch)|Attempting to execute|Attempted to)/;

/**
 * A failure of the engine that is not known: a defect of a statement or of the engine itself. The client may try again,
 * since such failures depend on the data and on what else runs; the message of the engine is for the log.
 */
export class EngineFailure extends CensusError {
  constructor(cause: unknown) {
    super("unavailable", FAILURE, { cause });
    this.name = "EngineFailure";
  }
}

/** Whether an error is one of the engine, by its message. */
export function isEngineError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof CensusError) && ENGINE_ERROR.test(messageOf(error));
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
  {
    text: /^INTERRUPT Error|^Interrupted/,
    code: "unavailable",
    message: "the query was interrupted before it was done; try again later",
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

/** The same for clients of the service, which get an {@link EngineFailure} where the engine's error is a defect. */
export function explainedOrFailure(error: unknown): unknown {
  const explained = explainedError(error);
  return isEngineError(explained) && !isWriteFault(explained) ? new EngineFailure(explained) : explained;
}
