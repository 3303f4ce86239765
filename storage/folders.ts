import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * `mkdir -p`, one level at a time: Node's own never returns where a file system refuses names, as /proc does.
 * @param mode of the folders that are made
 */
export function makeFolders(path: string, mode?: number): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolders(parent, mode);
  mkdirSync(path, mode === undefined ? {} : { mode });
}
