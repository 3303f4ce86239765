/**
 * The kind of an error, for the one place that turns it into an HTTP status and the one that turns it into an exit
 * code.
 */
export type ErrorCode =
  /** the input is invalid: a query, a command, an option (HTTP 400, exit 2) */
  | "bad-input"
  /** a file or folder that was named cannot be used: missing, damaged, hostile, locked, not writable (exit 1) */
  | "bad-file"
  /** the requested thing does not exist (HTTP 404, exit 1) */
  | "not-found"
  /** the time limit was exceeded (HTTP 500 before the first row, exit 1) */
  | "timeout"
  /** the operation is running already, and only one is allowed at a time (HTTP 409, exit 1) */
  | "conflict"
  /** the request is valid, but impossible at present: a full disk, a service that is starting (HTTP 503, exit 1) */
  | "unavailable";

/**
 * An error whose message is written for the user: one line, naming the thing, the place and the expectation.
 * Any other error is a defect of ours and is reported as such.
 */
export class CensusError extends Error {
  readonly code: ErrorCode;
  /** The message for logs, if it differs: without content of a command other than names. */
  readonly logged: string | undefined;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown; logged?: string | undefined }) {
    super(message, options);
    this.name = "CensusError";
    this.code = code;
    this.logged = options?.logged;
  }
}

/** Node's text for an error number without a name; on Linux, 122 is an exceeded disk quota. */
const UNNAMED_QUOTA = /Unknown system error -122\b/g;

/** The message of an error, or of any other thrown value. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.includes("Unknown system error") ? text.replace(UNNAMED_QUOTA, "EDQUOT: disk quota exceeded") : text;
}

/** The system's code of an error, such as `ENOSPC`; undefined for other errors. */
export function systemCodeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code !== "string") return undefined;
  return code === "Unknown system error -122" ? "EDQUOT" : code;
}
