import { writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { tuneProcess } from "#app/process.ts";
import { cacheFolder } from "./cache/place.ts";

/** To be called before the code of a command is loaded. */
export function prepareProcess(): void {
  nameProcess();
  tuneProcess();
  // Compiling our code takes longer than most queries, so cache the result.
  enableCompileCache(join(cacheFolder(), "code"));
}

/** Node calls its main thread `MainThread`, which is what `ps`, `top`, `ss` and `pgrep` show. The words of the command stay. */
function nameProcess(): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync("/proc/self/comm", "census");
  } catch {
    // Without /proc the name remains.
  }
}
