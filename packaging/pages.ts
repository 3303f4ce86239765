import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../docs");

/** Every file of `docs/`, by name: pages, and what they show. All of them are delivered, since they refer to each other. */
export function pages(): (readonly [name: string, content: Uint8Array])[] {
  return readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name))]);
}
