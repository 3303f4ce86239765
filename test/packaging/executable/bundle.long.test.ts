import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { bundleProgram } from "../../../packaging/executable/bundle.ts";
import { root } from "../../../packaging/executable/places.ts";

describe("the bundled code of the program", async () => {
  const { main, loader, pieces, packages, warmUp } = await bundleProgram();
  const all = [main, loader, ...pieces.values(), warmUp?.text ?? ""];

  it("is valid scripts without paths of the build machine", () => {
    for (const code of all) {
      expect(code.includes(root)).toBe(false);
      expect(() => new Script(code)).not.toThrow();
    }
  });

  it("has the code of every thread", () => {
    const threads = ["prepare-worker.js", "match-worker.js", "query-worker.js"];
    expect([...pieces.keys()]).toEqual(expect.arrayContaining(threads));
  });

  it("loads little code for --version", () => {
    const begins = new Set(["main.js"]);
    for (const name of begins) {
      const required = pieces.get(name)?.matchAll(/(?<!then\(\(\)=>\w+\()require\("\.\/([^"]+)"\)/g) ?? [];
      for (const [, piece = ""] of required) begins.add(piece);
    }
    const size = [...begins].reduce((sum, name) => sum + (pieces.get(name)?.length ?? 0), 0);
    expect(begins.size).toBeGreaterThan(1);
    expect(size).toBeLessThan(50_000);
  });

  it("contains runtime dependencies and no development dependencies", () => {
    expect(packages).toContain("node_modules/@duckdb/node-api");
    expect(packages).not.toContain("node_modules/vitest");
  });
});
