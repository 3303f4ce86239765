import { readdirSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { expect, it } from "vitest";
import { PreparePool } from "#storage/ingest/threads/pool.ts";
import { a } from "#test/fixture-store.ts";

/** The lowest priority: a process that has it cannot lower that of its threads. */
const LOWEST = constants.priority.PRIORITY_LOW;
const isTried = process.platform === "linux" && getPriority() < LOWEST;

/** The `nice` value of each thread of the process. */
function priorities(): number[] {
  return readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)));
}

it.skipIf(!isTried)("threads that prepare have a lower priority, and only they", async () => {
  const before = priorities();
  const pool = new PreparePool({ threads: 2 });
  const large = a.facts("x", { values: { text: "x".repeat(100_000) } });
  await pool.prepare([large, large]);
  const own = getPriority();
  expect(priorities().filter((one) => one > own)).toHaveLength(2);
  expect(before.filter((one) => one > own)).toHaveLength(0);
  await pool.close();
});
