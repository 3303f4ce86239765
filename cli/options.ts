import { homedir } from "node:os";
import { join } from "node:path";
import type { BooleanArgDef, EnumArgDef, PositionalArgDef, StringArgDef } from "citty";
import { type Clock, fixedClock, parseMoment } from "#storage/time.ts";
import { UsageError } from "./errors.ts";
import type { InGroup } from "./option-groups.ts";

/** The default port of a server. */
export const defaultPort = 8080;

/** What every archive that is read may be. */
export const archiveForms = "exported archive: tar.gz, tar, zip or an unpacked directory";

/** Arguments and options that several commands share. */
export const archiveArgument = {
  type: "positional",
  required: true,
  valueHint: "FILE",
  description: `E${archiveForms.slice(1)}`,
} as const satisfies PositionalArgDef;

export const portOption = {
  type: "string",
  valueHint: "N",
  description: "Port for plain HTTP; 0 picks a free port",
} as const satisfies StringArgDef;

export const nowOption = {
  type: "string",
  valueHint: "TIME",
  description: "Fix the clock used for node state, expiry and retention, e.g. 2026-11-20T12:00:00Z",
} as const satisfies StringArgDef;

export const dataOption = {
  type: "string",
  valueHint: "DIR",
  description: "Data directory (default: $XDG_DATA_HOME/census, else ~/.local/share/census)",
  group: "source",
} as const satisfies StringArgDef & InGroup;

export const acceptLossOption = {
  type: "boolean",
  description:
    "Start even if the data directory, or a server that is followed, contains less than before, e.g. after a restore (see docs/recovery.md)",
} as const satisfies BooleanArgDef;

/** The output formats of a command. */
export function outputOption<const F extends string>(
  ...formats: F[]
): EnumArgDef & { type: "enum"; options: F[] } & InGroup {
  return {
    type: "enum",
    options: formats,
    description: "Output format (default: table on a terminal, else json)",
    group: "output",
  };
}

/** @throws UsageError naming a value that is not a port */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}`);
}

/** @throws UsageError naming an option whose value is not a number of seconds */
export function readSeconds(option: string, text: string): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return seconds;
  throw new UsageError(`${option} must be a number of seconds above 0, not ${JSON.stringify(text)}`);
}

/**
 * The clock for `--now`; undefined when the option is not set.
 * @throws UsageError when the value is not a timestamp
 */
export function readNow(text: string | undefined): Clock | undefined {
  if (text === undefined) return undefined;
  const now = parseMoment(text);
  if (now !== undefined) return fixedClock(now);
  throw new UsageError(`--now must be a timestamp such as 2026-11-20T12:00:00Z, not ${JSON.stringify(text)}`);
}

/** The default data directory: the platform's folder for data of programs. */
export function defaultDataDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_DATA_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg !== undefined && xdg !== "") return join(xdg, "census");
  if (process.platform === "win32" && local !== undefined && local !== "") return join(local, "census");
  return join(homedir(), ".local", "share", "census");
}
