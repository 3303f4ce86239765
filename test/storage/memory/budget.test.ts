import { describe, expect, it, test } from "vitest";
import { batchLimits, divide, exportRange, partsOf } from "#storage/memory/budget.ts";

const MB = 1024 * 1024;
const sizes = [512, 640, 768, 1024, 1536, 2048, 4096, 24_576];

const sum = (of: Readonly<Record<string, number>>): number => Object.values(of).reduce((all, each) => all + each);

describe.each(sizes)("the parts of %i MB", (megabytes) => {
  const limit = megabytes * MB;
  const parts = partsOf(limit);

  it("add up to no more than that, and leave nothing unused", () => {
    expect(sum({ ...parts })).toBeLessThanOrEqual(limit);
    expect(sum({ ...parts })).toBeGreaterThan(limit - MB);
  });

  it("suffice for what is made of them", () => {
    for (const processors of [1, 2, 8, 64]) {
      const budget = divide({ bytes: limit, source: "memory-limit" }, processors);
      const { engine, bodies, preparing, largestCommand, largestReport, heavy } = budget;
      // Two batches are in memory: one is prepared while another is written.
      const heaps = budget.preparingThreads * 3 * budget.preparingYoung;
      expect(heaps + 2 * 6.5 * batchLimits.bytes).toBeLessThanOrEqual(preparing);
      expect(2 * 6.5 * heavy).toBeLessThanOrEqual(preparing);
      // A larger one is alone, and no large body is received meanwhile.
      expect(6.5 * largestCommand).toBeLessThanOrEqual(engine + bodies + preparing);
      expect(8 * largestReport).toBeLessThanOrEqual(engine + bodies + preparing);
      expect(5 * largestCommand).toBeLessThan(budget.preparingHeap);
      expect(2 * 26 * budget.dictionaryEntries).toBeLessThanOrEqual(budget.ids);
      expect(4 * exportRange * budget.exportViews * budget.exports).toBeLessThanOrEqual(parts.exports);
      // A database in memory has what the preparing of batches leaves.
      const { engine: _, changedRows: __, preparing: ___, ...others } = parts;
      expect(sum({ ...others }) + budget.engineInMemory + heaps).toBeLessThanOrEqual(limit);
    }
  });

  it("are no smaller than those of less", () => {
    const less = partsOf(limit - 64 * MB);
    const shrunk = Object.entries(parts).filter(([name, bytes]) => bytes < less[name as keyof typeof less]);
    expect(shrunk).toEqual([]);
  });
});

test("with the least memory the largest commands are those that the documentation says", () => {
  const { largestCommand, largestReport } = divide({ bytes: 512 * MB, source: "memory-limit" }, 2);
  expect(largestCommand).toBeGreaterThan(40_000_000);
  expect(largestReport).toBeGreaterThan(35_000_000);
});

test("on a machine with much memory each part has its maximum", () => {
  expect(divide({ bytes: 24_576 * MB, source: "this machine" }, 2)).toMatchObject({
    engine: 256_000_000,
    engineThreads: 2,
    preparingThreads: 2,
    preparingYoung: 24 * MB,
    largestCommand: 512 * MB,
    largestReport: 512 * MB,
    recentPayloads: 16 * MB,
    answers: 48 * MB,
    queries: 8,
    longAnswers: 6,
    exports: 4,
  });
});
