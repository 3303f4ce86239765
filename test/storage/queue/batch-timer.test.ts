import { expect, it } from "vitest";
import { BatchTimer } from "#storage/queue/batch-timer.ts";

/** Milliseconds until the next batch begins. */
async function waited(timer: BatchTimer): Promise<number> {
  const began = performance.now();
  await timer.wait(() => 1);
  return performance.now() - began;
}

it("batches that take long begin apart, unless one is due", async () => {
  const timer = new BatchTimer();
  timer.restart(20, false);
  timer.stored(110);
  // Four times the 60 ms above 50 after the last one began, which was 110 ms ago.
  expect(await waited(timer)).toBeGreaterThan(120);
  timer.restart(20, false);
  timer.stored(50);
  expect(await waited(timer)).toBeLessThan(100);
  timer.restart(20, false);
  timer.stored(160);
  setTimeout(() => timer.expire(), 20);
  expect(await waited(timer)).toBeLessThan(300);
  timer.restart(20, true);
  timer.stored(160);
  expect(await waited(timer)).toBeLessThan(100);
});

it("a batch that took longer than they may be apart is followed by the next at once", async () => {
  const timer = new BatchTimer();
  timer.restart(20, false);
  timer.stored(2000);
  expect(await waited(timer)).toBeLessThan(100);
});
