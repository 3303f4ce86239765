import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

/** Runs statements in a process of their own, before and after each of which a figure is taken. */
function figuresOf(figure: string, statements: readonly string[]): number[] {
  const code = `
    import { tuneProcess } from "#app/process.ts";
    import { growYoungGeneration, limitHeapGrowth, tuneHeap } from "#storage/ingest/threads/heap.ts";
    import { cachedDataVersionTag, getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
    const figures = [${figure}];
    ${statements.map((statement) => `${statement}; figures.push(${figure});`).join("\n")}
    console.log(JSON.stringify(figures));
  `;
  const words = ["--input-type=module", "--eval", code];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as number[];
}

/** The tag by which V8 recognises a code cache that it accepts. */
const tagsAfter = (...statements: string[]): number[] => figuresOf("cachedDataVersionTag()", statements);

/** Megabytes for short-lived objects. */
const roomAfter = (...statements: string[]): number[] =>
  figuresOf(
    'getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 2 ** 20',
    statements,
  );

it("the code cache stays valid until the heap is tuned", () => {
  const [first, started, tuned, again] = tagsAfter("tuneProcess()", "tuneHeap()", "tuneHeap()");
  expect(started).toBe(first);
  expect(tuned).not.toBe(first);
  expect(again).toBe(tuned);
});

it("the heap of a process that Census did not start is not tuned", () => {
  const [first, after] = tagsAfter("tuneHeap()");
  expect(after).toBe(first);
});

it("collectGarbage frees unreferenced objects", () => {
  const code = `
    import { collectGarbage } from "#storage/ingest/threads/heap.ts";
    const objects = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
    const before = process.memoryUsage().heapUsed;
    objects.length = 0;
    collectGarbage();
    console.log(before - process.memoryUsage().heapUsed > 20_000_000);
  `;
  const words = ["--input-type=module", "--eval", code];
  expect(execFileSync(process.execPath, words, { encoding: "utf8" })).toBe("true\n");
});

it("a large heap of a service grows less than that of another process", () => {
  const live = "globalThis.live = Array.from({ length: 4e6 }, (_, index) => ({ index, text: `${index}` }))";
  // Objects that outlive some collections; the first one is as late as V8 had settled before.
  const garbage = `globalThis.peak = 0;
    for (let index = 0, recent = []; index < 6e6; index++) {
      recent[index % 300_000] = { index, text: String(index) };
      if (index > 3e6 && index % 100_000 === 0) peak = Math.max(peak, getHeapStatistics().total_heap_size);
    }`;
  const growth = (tuned: string): number => {
    const used = "getHeapStatistics().used_heap_size";
    const start = [tuned, live, "limitHeapGrowth()", `globalThis.used = ${used}`, garbage].join(";\n");
    return figuresOf("globalThis.peak === undefined ? 0 : peak / used", [start])[1] ?? NaN;
  };
  const [service, other] = [growth("tuneProcess(); tuneHeap()"), growth("tuneHeap()")];
  expect(service).toBeLessThan(other * 0.9);
});

it("the young generation grows when commands arrive, and not a second time", () => {
  const use = "Array.from({ length: 1e6 }, (_, index) => [index])";
  const [before, tuned, grown, used] = roomAfter("tuneProcess(); tuneHeap()", "growYoungGeneration()", use);
  expect(tuned).toBe(before);
  // V8 grows it by a factor: on a machine that does much else it may begin from more.
  expect(grown).toBeGreaterThanOrEqual(16);
  expect(grown).toBeLessThan(32);
  expect(used).toBe(grown);
});

it("the young generation of a process that Census did not start does not grow", () => {
  const [before, after] = roomAfter("growYoungGeneration()");
  expect(after).toBe(before);
});
