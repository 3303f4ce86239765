import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { BatchTimer } from "#storage/queue/batch-timer.ts";

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

/** Milliseconds until the next batch begins. */
async function waited(timer: BatchTimer): Promise<number> {
  const began = performance.now();
  const over = timer.wait(() => 1).then(() => performance.now() - began);
  await vi.runAllTimersAsync();
  return over;
}

it("batches that take long begin apart, unless one is due", async () => {
  const timer = new BatchTimer();
  timer.restart(20, false);
  timer.stored(110);
  // Four times the 60 ms above 50 after the last one began, which was 110 ms ago.
  expect(await waited(timer)).toBe(130);
  timer.restart(20, false);
  timer.stored(50);
  expect(await waited(timer)).toBe(5);
  timer.restart(20, false);
  timer.stored(160);
  setTimeout(() => timer.expire(), 20);
  expect(await waited(timer)).toBe(20);
  timer.restart(20, true);
  timer.stored(160);
  expect(await waited(timer)).toBe(0);
});

it("a batch that took longer than they may be apart is followed by the next at once", async () => {
  const timer = new BatchTimer();
  timer.restart(20, false);
  timer.stored(2000);
  expect(await waited(timer)).toBe(5);
});
