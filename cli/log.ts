import { isatty } from "node:tty";
import { type ConsolaInstance, createConsola, type LogLevel } from "consola/basic";
import { messageOf } from "#storage/errors.ts";
import { oneLine, reportErrorsWith } from "./errors.ts";

/** Level and format of the log (`log-level`, `log-format`). */
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
 * Sets level and format of the log. The layout for terminals is loaded only for them, because its table of character
 * widths takes ten times as long to load as the rest.
 */
export async function configureLog(options: LogOptions = defaultOptions): Promise<void> {
  const { createConsola: create } = isatty(2) ? await import("consola") : { createConsola };
  consola = make(create, options);
  if (options.format === "json") writeEverythingToLog();
}

/** A collector that reads JSON reads no other lines: errors that end the program and warnings of Node.js are entries too. */
function writeEverythingToLog(): void {
  reportErrorsWith((text) => consola.error(text));
  process.removeAllListeners("warning");
  process.on("warning", ({ message }) => log.warn(message));
}

/** The log of a running server, one line per event on stderr. */
export const log = {
  /** Frequent events. */
  debug: (text: string): void => consola.debug(oneLine(text)),
  /** Normal operation. */
  notice: (text: string): void => consola.info(oneLine(text)),
  /** A problem outside of this program. */
  warn: (text: string): void => consola.warn(oneLine(text)),
  /** An error of this program; with its stack trace if CENSUS_DEBUG is set. */
  fault: (what: string, error: unknown): void => {
    consola.error(oneLine(`${what}: ${messageOf(error)}`));
    if ((process.env["CENSUS_DEBUG"] ?? "") !== "" && error instanceof Error) consola.error(error.stack);
  },
};
