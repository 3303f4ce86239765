import { existsSync } from "node:fs";
import { executablePath } from "#packaging/executable/executable.ts";
import { ownTarget } from "#packaging/executable/targets.ts";
import { fromSource, type Start } from "./census-process.ts";

/** The executable, if it was built with `npm run package -- own`. */
export function builtExecutable(): string | undefined {
  const executable = ownTarget === undefined ? undefined : executablePath(ownTarget);
  return executable !== undefined && existsSync(executable) ? executable : undefined;
}

/**
 * The executable, if it was built, otherwise Node with our source.
 * @param profile whether the source writes a profile
 */
export function packedOrSource(profile: boolean): Start {
  const program = builtExecutable();
  return program === undefined ? fromSource(profile) : { program, words: [] };
}
