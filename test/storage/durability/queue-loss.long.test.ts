import { cp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodePosition } from "#storage/queue/position.ts";
import { MARK } from "#storage/queue/record.ts";
import { Store } from "#storage/store.ts";
import { verifyDirectory } from "#storage/verify/verify.ts";
import { all, cut, flip, type Left, leftBehind, named, numbersOf, opened, options, report } from "./damaged.ts";

const commandsOf = ({ directory }: Left): string => join(directory, "queue", "commands");

async function onlySegment(left: Left): Promise<string> {
  const [name = "", ...others] = await readdir(commandsOf(left));
  expect(others).toEqual([]);
  return join(commandsOf(left), name);
}

async function removeSegments(left: Left): Promise<void> {
  for (const name of await readdir(commandsOf(left))) await rm(join(commandsOf(left), name));
}

/** Where the records of a segment begin; the last element is the end of its last record. */
async function recordsOf(path: string): Promise<number[]> {
  const bytes = await readFile(path);
  const places: number[] = [];
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1)) places.push(at);
  return places;
}

/** Leaves the engine's log with what reports 4 and 5 did, or less. */
const shortenLog = ({ log }: Left): Promise<void> => cut(log, 0.35);

describe("acknowledged commands that neither the queue nor the engine's log contains", () => {
  it.each<[what: string, words: RegExp, damage: (left: Left) => Promise<unknown>]>([
    [
      "all files of the queue and the log",
      /commands: the queue lacks acknowledged commands \(5 to 10\)\. Put/,
      async (left) => {
        await removeSegments(left);
        await rm(left.log);
      },
    ],
    [
      "all files of the queue and the end of the log",
      /the queue lacks acknowledged commands \([6-9] to 10\)\. Put/,
      async (left) => {
        await removeSegments(left);
        await shortenLog(left);
      },
    ],
    [
      "the end of the last file, and the log",
      /the queue lacks acknowledged commands \(9 to 10\)/,
      async (left) => {
        const path = await onlySegment(left);
        await truncate(path, (await recordsOf(path)).at(-2));
        await rm(left.log);
      },
    ],
    [
      "a command in the middle, which is damaged, and the log",
      /lacks acknowledged commands \(7\); damaged: .*\.log, bytes \d+ to \d+\. Put/,
      async (left) => {
        const path = await onlySegment(left);
        await flip(path, ((await recordsOf(path))[2] ?? 0) + 40);
        await rm(left.log);
      },
    ],
    [
      "the last command, which is damaged, and the log",
      /lacks acknowledged commands \(10\); damaged: /,
      async (left) => {
        await flip(await onlySegment(left), -100);
        await rm(left.log);
      },
    ],
  ])("prevent the store from starting, for example %s", async (_what, words, damage) => {
    await using left = await leftBehind();
    const before = `${left.directory}.before`;
    await cp(left.directory, before, { recursive: true });
    await damage(left);
    const files = await contentsOf(commandsOf(left));
    const refused = expect.objectContaining({ code: "bad-file", message: expect.stringMatching(words) });
    await expect(opened(left)).rejects.toEqual(refused);
    await expect(opened(left)).rejects.toThrow(
      /Put the files of the queue back, or start once with --accept-loss to continue with what is present/,
    );
    expect(await contentsOf(commandsOf(left))).toEqual(files);
    expect((await verifyDirectory(left.directory)).findings).toContainEqual(
      expect.objectContaining({ severity: "damaged", problem: expect.stringMatching(/^lacks acknowledged commands/) }),
    );
    await rm(commandsOf(left), { recursive: true });
    await cp(join(before, "queue", "commands"), commandsOf(left), { recursive: true });
    expect((await opened(left)).numbers).toEqual(all);
  });

  it("are given up if the loss is accepted; their ids are not used again", async () => {
    await using left = await leftBehind();
    await removeSegments(left);
    await rm(left.log);
    const { numbers, notices } = await opened(left, { acceptsLoss: true });
    expect(numbers).toEqual([0, 1, 2, 3]);
    expect(notices).toEqual([expect.stringMatching(/lacks acknowledged commands \(5 to 10\): accepted$/)]);
    const store = await Store.open({ ...options, directory: left.directory });
    const { id } = await store.accept(report(10), true);
    expect(id).toBeGreaterThan(10);
    await store.close();
    expect((await opened(left)).numbers).toEqual([0, 1, 2, 3, 10]);
  });
});

describe("a damaged queue whose commands the engine's log contains", () => {
  it.each<[what: string, damage: (left: Left) => Promise<unknown>]>([
    ["has no files", removeSegments],
    ["has a damaged command", async (left) => flip(await onlySegment(left), -100)],
  ])("loses no command: it %s", async (_what, damage) => {
    await using left = await leftBehind();
    await damage(left);
    const notices: string[] = [];
    const store = await Store.open({ ...options, directory: left.directory, onNotice: (text) => notices.push(text) });
    expect(await numbersOf(store)).toEqual(all);
    // As if the machine went down now: what only the log had is in the database file.
    const later: Left = { ...left, directory: `${left.directory}.later` };
    await cp(left.directory, later.directory, { recursive: true });
    await store.close();
    expect(notices).toEqual([expect.stringMatching(/the queue lacks commands \(.*10\), which the database has/)]);
    await rm(join(later.directory, "census.duckdb.wal"), { force: true });
    expect((await opened(later)).numbers).toEqual(all);
  });
});

describe("the record of the queue's position", () => {
  it("may be older than the queue after a power failure, and a command that was being written does not count as lost", async () => {
    await using left = await leftBehind();
    const identity = (await readFile(join(left.directory, "queue", "identity"), "utf8")).trim();
    const old = encodePosition({ acknowledged: 9, stored: 9 }, identity);
    await writeFile(join(left.directory, "queue", "position"), old);
    await rm(left.log);
    await flip(await onlySegment(left), -100);
    expect((await opened(left)).numbers).toEqual(all.slice(0, 9));
    expect(await named(join(left.directory, "queue", "damaged"), "0")).toHaveLength(1);
  });

  it.each<[what: string, damage: (path: string) => Promise<unknown>]>([
    ["gone", (path) => rm(path)],
    ["damaged", (path) => flip(path, 12)],
    ["empty", (path) => writeFile(path, "")],
  ])("is written again if it is %s", async (_what, damage) => {
    await using left = await leftBehind();
    const path = join(left.directory, "queue", "position");
    const { length } = await readFile(path);
    await damage(path);
    expect((await opened(left)).numbers).toEqual(all);
    expect((await readFile(path)).length).toBe(length);
  });
});

async function contentsOf(folder: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(folder)).sort();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}
