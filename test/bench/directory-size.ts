import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Bytes of all files in a directory and those below it; a file that goes away meanwhile counts nothing. */
export function directorySize(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).reduce((sum, name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    return sum + (found?.isFile() === true ? found.size : 0);
  }, 0);
}
