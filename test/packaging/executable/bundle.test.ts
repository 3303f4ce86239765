import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { bundleProgram } from "../../../packaging/executable/bundle.ts";
import { root } from "../../../packaging/executable/places.ts";

describe("the program's code as it is packaged", async () => {
  const { main, loader, pieces, packages, warmUp } = await bundleProgram();
  const all = [main, loader, ...pieces.values(), warmUp?.text ?? ""];

  it("is the same when it is made again", async () => {
    const again = await bundleProgram();
    expect([again.main, again.loader, ...again.pieces.values(), again.warmUp?.text]).toEqual(all);
  });

  it("is scripts, which say nothing of where they were made", () => {
    for (const code of all) {
      expect(code.includes(root)).toBe(false);
      expect(() => new Script(code)).not.toThrow();
    }
  });

  it("has the code of every thread", () => {
    const threads = ["prepare-worker.js", "match-worker.js", "question-worker.js"];
    expect([...pieces.keys()]).toEqual(expect.arrayContaining(threads));
  });

  it("loads little of itself for the version", () => {
    const begins = new Set(["main.js"]);
    for (const name of begins) {
      const asked = pieces.get(name)?.matchAll(/(?<!then\(\(\)=>\w+\()require\("\.\/([^"]+)"\)/g) ?? [];
      for (const [, piece = ""] of asked) begins.add(piece);
    }
    const size = [...begins].reduce((sum, name) => sum + (pieces.get(name)?.length ?? 0), 0);
    expect(begins.size).toBeGreaterThan(1);
    expect(size).toBeLessThan(50_000);
  });

  it("has parts of the packages that the program needs, and none of those that develop it", () => {
    expect(packages).toContain("node_modules/@duckdb/node-api");
    expect(packages).not.toContain("node_modules/vitest");
  });
});
