import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Attempts } from "#storage/queue/attempts.ts";
import type { QueueEntry } from "#storage/queue/entry.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { queued, RECEIVED } from "./entries.ts";

const entries = (count: number, from = 1): QueueEntry[] =>
  Array.from({ length: count }, (_, index) => queued(from + index));
const postponed = (id: number): QueueEntry => queued(id, { faults: [{ at: RECEIVED, message: "the first" }] });
const alone = (attempts: Attempts, left: readonly QueueEntry[]): number[] =>
  left.filter((entry) => attempts.isAlone(entry)).map(({ id }) => id);
const problem = "the process ended 3 times while this command was being stored";

/** Processes commands as the consumer does, until a command of `ends` ends the process. */
async function run(folder: string, left: readonly QueueEntry[], ends: readonly number[]): Promise<QueueEntry[]> {
  const attempts = await Attempts.open(folder, left);
  let rest = [...left];
  while (rest.length > 0) {
    const [first] = rest;
    if (first === undefined) break;
    const shared = attempts.isAlone(first) ? 1 : rest.findIndex((entry) => attempts.isAlone(entry));
    const batch = rest.slice(0, shared < 0 ? 256 : Math.min(256, shared));
    const given = batch.filter((entry) => attempts.problemOf(entry) !== undefined);
    await attempts.begin(batch.map(({ id }) => id));
    if (batch.some((entry) => ends.includes(entry.id) && !given.includes(entry))) return rest;
    rest = rest.filter((entry) => !batch.includes(entry));
    await attempts.finish(batch.map(({ id }) => id));
  }
  expect(await readdir(folder)).toEqual([]);
  return rest;
}

/** How often the process ends until nothing is left, starting anew each time. */
async function endsUntilDone(left: readonly QueueEntry[], ends: readonly number[]): Promise<number> {
  await using folder = await temporaryFolder();
  let rest = [...left];
  for (let count = 0; count < 50; count++) {
    rest = await run(folder.path, rest, ends);
    if (rest.length === 0) return count;
  }
  return Infinity;
}

describe("the record of attempts", () => {
  it("is not written if the previous process left no commands", async () => {
    await using folder = await temporaryFolder();
    const attempts = await Attempts.open(folder.path, []);
    await attempts.begin([1, 2]);
    expect(attempts.isOver).toBe(true);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("is deleted once all commands that the previous process left are done", async () => {
    expect(await endsUntilDone(entries(3), [])).toBe(0);
    expect(await endsUntilDone(entries(2000), [])).toBe(0);
  });

  it("gives up a command that ended the process in three attempts by itself", async () => {
    expect(await endsUntilDone(entries(3), [2])).toBe(3);
    // A large batch fails as a whole once before its commands are tried alone.
    expect(await endsUntilDone(entries(100), [42])).toBe(4);
    expect(await endsUntilDone(entries(3000), [2900])).toBeLessThanOrEqual(5);
    expect(await endsUntilDone([...entries(600), postponed(601)], [601])).toBeLessThanOrEqual(5);
  });

  it("gives up several commands that end the process", async () => {
    expect(await endsUntilDone(entries(100), [3, 50, 51])).toBe(10);
  });

  it("reports a problem for the command that is given up, and for no other", async () => {
    await using folder = await temporaryFolder();
    let rest: QueueEntry[] = entries(40);
    for (let end = 0; end < 4; end++) rest = await run(folder.path, rest, [7]);
    const attempts = await Attempts.open(folder.path, rest);
    expect(rest.map((entry) => attempts.problemOf(entry)).filter((text) => text !== undefined)).toEqual([problem]);
    expect(attempts.problemOf(queued(7))).toBe(problem);
  });

  it("blames no command if the process ends between two attempts", async () => {
    await using folder = await temporaryFolder();
    const left = entries(2);
    for (let end = 0; end < 10; end++) {
      const attempts = await Attempts.open(folder.path, left);
      await attempts.begin([1]);
      await attempts.pause();
    }
    const attempts = await Attempts.open(folder.path, left);
    expect(left.map((entry) => attempts.problemOf(entry))).toEqual([undefined, undefined]);
    expect(alone(attempts, left)).toEqual([1, 2]);
  });

  it("continues to count after a pause", async () => {
    await using folder = await temporaryFolder();
    const left = entries(1);
    for (let end = 0; end < 3; end++) {
      const attempts = await Attempts.open(folder.path, left);
      expect(attempts.problemOf(queued(1))).toBeUndefined();
      await attempts.begin([1]);
      await attempts.pause();
      await attempts.resume();
    }
    expect((await Attempts.open(folder.path, left)).problemOf(queued(1))).toBe(problem);
  });

  it("counts one attempt if the process ends several times before the next attempt", async () => {
    await using folder = await temporaryFolder();
    const left = entries(1);
    await (await Attempts.open(folder.path, left)).begin([1]);
    for (let start = 0; start < 5; start++) {
      expect((await Attempts.open(folder.path, left)).problemOf(queued(1))).toBeUndefined();
    }
    expect(JSON.parse(await readFile(join(folder.path, "attempts"), "utf8"))).toEqual({
      trying: [1],
      alone: [1],
      ends: {},
    });
  });

  it("starts empty if its file is damaged", async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, "attempts"), '{"trying":[1');
    expect(await run(folder.path, entries(20), [])).toEqual([]);
  });
});
