import { rmSync } from "node:fs";

const paths = new Set<string>();

/** The exit codes of a program that a signal ended. */
const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

const enders = Object.entries(endings).map(([signal, code]) => ({ signal, end: () => process.exit(code) }));

/**
 * Marks a file or directory as unfinished, so that it is removed if a signal ends the program.
 * @returns call it when the file is finished or removed
 */
export function unfinished(path: string): () => void {
  if (paths.size === 0) {
    process.on("exit", removeAll);
    for (const { signal, end } of enders) process.on(signal, end);
  }
  paths.add(path);
  return () => {
    paths.delete(path);
    if (paths.size > 0) return;
    process.off("exit", removeAll);
    for (const { signal, end } of enders) process.off(signal, end);
  };
}
