import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleProgram } from "#packaging/executable/bundle.ts";
import { codeCacheAssets } from "#packaging/executable/code-cache.ts";
import { embeddedAssets } from "#packaging/executable/embedded-files.ts";
import { cachedAsset, codeAsset } from "#packaging/executable/inside/code.ts";
import { lockedPackage, packageFolder } from "#packaging/executable/packages.ts";
import { ownTarget, targets } from "#packaging/executable/targets.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

/** How many of these code caches V8 rejects. */
function rejected(pairs: readonly (readonly [code: string, compiled: string])[], ...flags: readonly string[]): number {
  const code = `
    const { readFileSync } = require("node:fs");
    const { Script } = require("node:vm");
    const taken = ${JSON.stringify(pairs)}.map(([code, compiled]) =>
      new Script(readFileSync(code, "utf8"), { cachedData: readFileSync(compiled) }).cachedDataRejected);
    console.log(taken.filter((isRejected) => isRejected).length);
  `;
  return Number(execFileSync(process.execPath, [...flags, "--eval", code], { encoding: "utf8" }));
}

describe.skipIf(ownTarget === undefined)("the code cache of the executable", async () => {
  const bundle = await bundleProgram();

  it("covers a start and the first response, and is accepted by the same Node only", async () => {
    const target = ownTarget;
    if (target === undefined) return;
    await using folder = await temporaryFolder();
    const library = await packageFolder(lockedPackage(target.bindings));
    const native = embeddedAssets("native", library, folder.path);
    const code: Record<string, string> = {};
    for (const [name, text] of bundle.pieces) {
      const path = join(folder.path, codeAsset(name));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      code[name] = path;
    }
    const embedded = Object.fromEntries(Object.entries(code).map(([name, path]) => [codeAsset(name), path]));
    const work = join(folder.path, "work");
    mkdirSync(work);
    const compiled = codeCacheAssets(target, bundle, { ...embedded, ...native }, library, work);
    const contents = Object.values(compiled).map((path) => readFileSync(path));
    const has = (text: string): boolean => contents.some((content) => content.includes(text));
    // Code of functions that a query runs, and not of one that only `--explain` runs.
    expect(["SELECT encode(row) FROM (", "EXPLAIN (ANALYZE, FORMAT JSON) "].map(has)).toEqual([true, false]);
    const pairs = Object.entries(code).flatMap(([name, path]) => {
      const kept = compiled[cachedAsset(name)];
      return kept === undefined ? [] : [[path, kept] as const];
    });
    expect(pairs).toHaveLength(Object.keys(compiled).length);
    for (const part of ["CREATE TABLE nodes", "Census is ready on", "/pdb/query/v4"]) {
      expect([part, pairs.some(([path]) => readFileSync(path, "utf8").includes(part))]).toEqual([part, true]);
    }
    expect(rejected(pairs)).toBe(0);
    expect(rejected(pairs, "--hash-seed=2")).toBe(pairs.length);
  });

  it.each(targets.filter((target) => target !== ownTarget))("is not made for $name", (target) => {
    expect(codeCacheAssets(target, bundle, {}, "/nowhere", "/nowhere")).toEqual({});
  });
});
