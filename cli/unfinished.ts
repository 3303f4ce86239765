import { rmSync } from "node:fs";
import { onSignals } from "./signals.ts";

const paths = new Set<string>();

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

let stopHandling = (): void => undefined;

/**
 * Marks a file or directory as unfinished, so that it is removed if a signal ends the program.
 * @returns call it when the file is finished or removed
 */
export function unfinished(path: string): () => void {
  if (paths.size === 0) {
    process.on("exit", removeAll);
    stopHandling = onSignals(["SIGINT", "SIGTERM", "SIGHUP"], (exitCode) => process.exit(exitCode));
  }
  paths.add(path);
  return () => {
    paths.delete(path);
    if (paths.size > 0) return;
    process.off("exit", removeAll);
    stopHandling();
  };
}
