import { join } from "node:path";
import { buildPackage } from "#packaging/npm/build.ts";
import type { Bench } from "./bench.ts";
import { builtExecutable } from "./packed-or-source.ts";

/**
 * The words that start the program: the executable, if it was built with `npm run package -- own`, otherwise the package for npm.
 * @param folder where the package for npm is built
 */
export async function packedProgram(bench: Bench, folder: string): Promise<readonly string[]> {
  const executable = builtExecutable();
  if (executable !== undefined) {
    bench.progress("the executable");
    return [executable];
  }
  bench.progress("making the package for npm");
  await buildPackage(folder);
  return [process.execPath, join(folder, "census.js")];
}
