import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, it } from "vitest";
import { Preparer } from "#storage/ingest/threads/pool.ts";
import { a } from "#test/fixture-store.ts";

/** How urgent each thread of the process is. */
function priorities(): number[] {
  return readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)));
}

it.skipIf(process.platform !== "linux")("threads that prepare let others go first, and only they", async () => {
  const before = priorities();
  const preparer = new Preparer({ threads: 2 });
  const large = a.facts("x", { values: { text: "x".repeat(100_000) } });
  await preparer.prepare([large, large], () => undefined);
  const own = getPriority();
  expect(priorities().filter((one) => one > own)).toHaveLength(2);
  expect(before.filter((one) => one > own)).toHaveLength(0);
  await preparer.close();
});
