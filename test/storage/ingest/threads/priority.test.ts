import { readdirSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { expect, it } from "vitest";
import { Preparer } from "#storage/ingest/threads/pool.ts";
import { a } from "#test/fixture-store.ts";

/** The lowest priority there is: a process that has it cannot let others go first. */
const LOWEST = constants.priority.PRIORITY_LOW;
const isTried = process.platform === "linux" && getPriority() < LOWEST;

/** How urgent each thread of the process is; larger is less urgent. */
function priorities(): number[] {
  return readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)));
}

it.skipIf(!isTried)("threads that prepare let others go first, and only they", async () => {
  const before = priorities();
  const preparer = new Preparer({ threads: 2 });
  const large = a.facts("x", { values: { text: "x".repeat(100_000) } });
  await preparer.prepare([large, large], () => undefined);
  const own = getPriority();
  expect(priorities().filter((one) => one > own)).toHaveLength(2);
  expect(before.filter((one) => one > own)).toHaveLength(0);
  await preparer.close();
});
