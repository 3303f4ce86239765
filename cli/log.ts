import { isatty } from "node:tty";
import { type ConsolaInstance, createConsola, type LogLevel } from "consola/basic";
import { messageOf } from "#storage/errors.ts";
import { oneLine } from "./errors.ts";

/** How much is said, and how (`log-level`, `log-format`). */
export interface LogOptions {
  readonly level: "error" | "warn" | "info" | "debug";
  /** `auto`: text on a terminal, json elsewhere. */
  readonly format: "auto" | "text" | "json";
}

const levels: Readonly<Record<LogOptions["level"], LogLevel>> = { error: 0, warn: 1, info: 3, debug: 4 };

// The level is fixed: consola's own default falls silent where NODE_ENV is `test`.
const defaultOptions: LogOptions = { level: "info", format: "text" };

let consola = make(createConsola, defaultOptions);

function make(create: typeof createConsola, { level, format }: LogOptions): ConsolaInstance {
  const isJson = format === "json" || (format === "auto" && !isatty(2));
  return create({
    level: levels[level],
    stdout: process.stderr,
    stderr: process.stderr,
    ...(isJson ? { reporters: [{ log: writeJson }] } : {}),
  });
}

/** One object per line, as collectors of logs read them. */
function writeJson({ type, date, args }: { type: string; date: Date; args: unknown[] }): void {
  const level = type === "success" || type === "log" ? "info" : type;
  process.stderr.write(`${JSON.stringify({ time: date.toISOString(), level, message: args.map(String).join(" ") })}\n`);
}

/**
 * From now on so much is said, and so; on a terminal in colours. What lays lines out for terminals is loaded for them
 * alone: it has to know how wide each character is, which takes as long to load as the rest of the log ten times.
 */
export async function configureLog(options: LogOptions = defaultOptions): Promise<void> {
  const { createConsola: create } = isatty(2) ? await import("consola") : { createConsola };
  consola = make(create, options);
}

/** What a running server has to say, a line at a time on stderr. */
export const log = {
  /** What happens all the time. */
  debug: (text: string): void => consola.debug(oneLine(text)),
  /** Something went as it was asked to. */
  notice: (text: string): void => consola.info(oneLine(text)),
  /** Somebody else's mistake. */
  warn: (text: string): void => consola.warn(oneLine(text)),
  /** A fault of ours; with CENSUS_DEBUG set, where it comes from as well. */
  fault: (what: string, error: unknown): void => {
    consola.error(oneLine(`${what}: ${messageOf(error)}`));
    if ((process.env["CENSUS_DEBUG"] ?? "") !== "" && error instanceof Error) consola.error(error.stack);
  },
};
