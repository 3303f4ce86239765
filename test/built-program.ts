import { existsSync, rmSync } from "node:fs";
import { buildProgram } from "#packaging/npm/build.ts";

/**
 * Builds the program once for all tests of a run that start it, where `vitest.config.ts` names a directory for it: a start
 * then takes two thirds of the processor time, one that serves or stores a quarter.
 * @returns removes it after the run
 */
export default async function setup(): Promise<() => void> {
  const folder = process.env["CENSUS_BUILT_PROGRAM"];
  // Another project of vitest.config.ts has built it.
  if (folder === undefined || existsSync(folder)) return () => undefined;
  await buildProgram(folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
