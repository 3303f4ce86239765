import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stripped } from "../../../packaging/executable/strip.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

it.skipIf(process.platform !== "linux")("a stripped program still runs, and is smaller", async () => {
  await using folder = await temporaryFolder();
  const whole = readFileSync(process.execPath);
  const less = stripped(whole);
  expect(less.length).toBeLessThan(whole.length * 0.9);
  // What is stripped has nothing left to lose.
  expect(stripped(less).equals(less)).toBe(true);
  const file = join(folder.path, "node");
  writeFileSync(file, less, { mode: 0o755 });
  const run = spawnSync(file, ["-p", "zlib.zstdDecompressSync(zlib.zstdCompressSync('whole')).toString()"]);
  expect([run.status, run.stdout.toString()]).toEqual([0, "whole\n"]);
});

it("refuses a file that is not an ELF program", () => {
  expect(() => stripped(Buffer.alloc(128))).toThrow("not a 64-bit little-endian ELF program");
});
