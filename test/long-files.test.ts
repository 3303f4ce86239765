import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alone } from "./alone.ts";
import { longFiles } from "./long-files.ts";

describe.each([
  ["test/long-files.ts", longFiles],
  ["test/alone.ts", alone],
])("%s", (_, patterns) => {
  it.each(patterns)("finds files of %s", (pattern) => {
    expect(globSync(pattern, { cwd: join(import.meta.dirname, "..") })).not.toEqual([]);
  });
});
