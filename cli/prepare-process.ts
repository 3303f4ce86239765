import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { tuneProcess } from "#app/process.ts";
import { cacheFolder } from "./cache/place.ts";

/** To be called before the code of a command is loaded. */
export function prepareProcess(): void {
  tuneProcess();
  // Compiling our code takes longer than most queries, so cache the result.
  enableCompileCache(join(cacheFolder(), "code"));
}
