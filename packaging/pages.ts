import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../docs");

/**
 * Every page of `docs/` and the pictures in them, by path below it (`reference/query.md`). All are delivered, since they link
 * to each other.
 */
export function pages(): (readonly [path: string, content: Uint8Array])[] {
  return globSync("**/*.{md,png}", { cwd: folder })
    .sort()
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(folder, path))]);
}
