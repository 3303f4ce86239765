import { SettingsError } from "#app/settings/problems.ts";
import { isTransient } from "#storage/queue/transient-errors.ts";
import { wrap } from "./output/wrap.ts";
import { CensusError, messageOf, type ErrorCode } from "#storage/errors.ts";

/** An invalid command line; exit code 2. */
export class UsageError extends CensusError {
  constructor(message: string) {
    super("bad-input", message);
    this.name = "UsageError";
  }
}

/** The reader of the output closed it (`census query … | head`). This ends the command without an error. */
export class ReaderGone extends Error {
  constructor() {
    super("the reader of the output closed it");
    this.name = "ReaderGone";
  }
}

const exitCodes: Readonly<Record<ErrorCode, number>> = {
  "bad-input": 2,
  "bad-file": 1,
  "not-found": 1,
  timeout: 1,
  conflict: 1,
  unavailable: 1,
};

/** The exit code of an error: 0, 1 or 2. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ReaderGone) return 0;
  return error instanceof CensusError ? exitCodes[error.code] : 1;
}

/**
 * The exit code of a command with `--exit-code`: 1 when something is found, 2 after an error, which is reported; else 0.
 * @param isWanted whether the option is set
 */
export async function withExitCode(isWanted: boolean | undefined, find: () => Promise<boolean>): Promise<number> {
  try {
    const isFound = await find();
    return isFound && isWanted === true ? 1 : 0;
  } catch (error) {
    if (isWanted !== true || exitCodeOf(error) === 0) throw error;
    reportError(error);
    return 2;
  }
}

/** Writes a line of a reported error, or its stack trace. */
type ErrorWriter = (text: string, isStack?: boolean) => void;

let writeError: ErrorWriter = (text, isStack = false) => {
  const line = isStack ? text : `census: ${text}`;
  // A terminal would break it inside a word.
  const { isTTY, columns } = process.stderr;
  process.stderr.write(`${isTTY && !isStack ? wrap(line, columns).join("\n") : line}\n`);
};

/** Reports errors another way from now on: as entries of a log in JSON. */
export function reportErrorsWith(writer: ErrorWriter): void {
  writeError = writer;
}

/**
 * Prints an error on stderr, one line each; with CENSUS_DEBUG set, with its stack trace.
 */
export function reportError(error: unknown): void {
  if (error instanceof ReaderGone) return;
  if (error instanceof SettingsError) {
    for (const problem of error.problems) writeError(oneLine(problem));
    return;
  }
  const debug = (process.env["CENSUS_DEBUG"] ?? "") !== "";
  // A full disk is not a defect of Census.
  const expected = error instanceof CensusError || isTransient(error);
  const line = oneLine(messageOf(error));
  const text = expected
    ? line
    : `unexpected error: ${line}${debug ? "" : " (this is a defect in Census; set CENSUS_DEBUG=1 for the stack trace)"}`;
  writeError(text);
  if (debug && error instanceof Error && error.stack !== undefined) writeError(error.stack, true);
}

/** The heading and the last paragraph of a message with several lines. */
const LAID_OUT = /^(?<heading>(?:PQL|Json) parse error at [^\n]*:)\n.*\n\n(?<advice>.+)$/s;

/** A message as one line that a terminal can show: the excerpt and the lists of query errors are left out. */
export function oneLine(message: string): string {
  const { heading, advice } = LAID_OUT.exec(message)?.groups ?? {};
  const text = heading === undefined ? message : `${heading} ${advice}`;
  return text
    .trim()
    .replace(/\s*[\r\n]\s*/g, " ")
    .replace(/\p{Cc}/gu, "\u{fffd}");
}
