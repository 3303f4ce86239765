import { existsSync } from "node:fs";
import { join } from "node:path";
import { executablePath } from "#packaging/executable/executable.ts";
import { ownTarget } from "#packaging/executable/targets.ts";
import { buildPackage } from "#packaging/npm/build.ts";
import type { Bench } from "./bench.ts";

/**
 * The words that start the program: the executable, if it was built with `npm run package -- own`, otherwise the package for npm.
 * @param folder where the package for npm is built
 */
export async function packedProgram(bench: Bench, folder: string): Promise<readonly string[]> {
  const executable = ownTarget === undefined ? undefined : executablePath(ownTarget);
  if (executable !== undefined && existsSync(executable)) {
    bench.progress("the executable");
    return [executable];
  }
  bench.progress("making the package for npm");
  await buildPackage(folder);
  return [process.execPath, join(folder, "census.js")];
}
