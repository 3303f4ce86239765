import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

/** Runs statements in a process of their own, each followed by what V8 tells compiled code by that it takes. */
function tagsAfter(...statements: readonly string[]): number[] {
  const code = `
    import { tuneProcess } from "#app/process.ts";
    import { tuneHeap } from "#storage/heap.ts";
    import { cachedDataVersionTag } from "node:v8";
    const tags = [cachedDataVersionTag()];
    ${statements.map((statement) => `${statement}; tags.push(cachedDataVersionTag());`).join("\n")}
    console.log(JSON.stringify(tags));
  `;
  const words = ["--input-type=module", "--eval", code];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as number[];
}

it("compiled code stays good while a program starts, and until its heap is tuned", () => {
  const [first, started, tuned, again] = tagsAfter("tuneProcess()", "tuneHeap()", "tuneHeap()");
  expect(started).toBe(first);
  expect(tuned).not.toBe(first);
  expect(again).toBe(tuned);
});

it("the heap of a process that is not ours is left as it is", () => {
  const [first, after] = tagsAfter("tuneHeap()");
  expect(after).toBe(first);
});

it("what nobody refers to any more is collected", () => {
  const code = `
    import { collectGarbage } from "#storage/heap.ts";
    const objects = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
    const before = process.memoryUsage().heapUsed;
    objects.length = 0;
    collectGarbage();
    console.log(before - process.memoryUsage().heapUsed > 20_000_000);
  `;
  const words = ["--input-type=module", "--eval", code];
  expect(execFileSync(process.execPath, words, { encoding: "utf8" })).toBe("true\n");
});
