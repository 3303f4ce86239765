import { statSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "./manifest.ts";

/** Whether a directory has each file of a manifest, by name and size. Hashing 70 MB would double the time of a start. */
export function isComplete(folder: string, { files }: Manifest): boolean {
  return files.every(({ name, size }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === size);
}
