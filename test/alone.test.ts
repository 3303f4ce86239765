import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { alone } from "./alone.ts";

it.each(alone)("test/alone.ts finds files of %s", (pattern) => {
  expect(globSync(pattern, { cwd: join(import.meta.dirname, "..") })).not.toEqual([]);
});
