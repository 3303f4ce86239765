import { isatty } from "node:tty";
import { createConsola } from "consola";
import { messageOf } from "#storage/errors.ts";
import { oneLine } from "./errors.ts";

// The level is fixed: consola's own default falls silent where NODE_ENV is `test`.
const consola = createConsola({
  level: 3,
  fancy: isatty(2),
  stdout: process.stderr,
  stderr: process.stderr,
});

/** What a running server has to say, a line at a time on stderr. */
export const log = {
  /** Somebody else's mistake. */
  warn: (text: string): void => consola.warn(oneLine(text)),
  /** A fault of ours; with CENSUS_DEBUG set, where it comes from as well. */
  fault: (what: string, error: unknown): void => {
    consola.error(oneLine(`${what}: ${messageOf(error)}`));
    if ((process.env["CENSUS_DEBUG"] ?? "") !== "" && error instanceof Error) consola.error(error.stack);
  },
};
