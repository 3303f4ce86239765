import { randomBytes } from "node:crypto";
import { appendFile, copyFile, cp, mkdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { logEndOf } from "#storage/engine/log-end.ts";
import { savedBlocksEnding } from "#storage/engine/saved-blocks.ts";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import { Store } from "#storage/store.ts";
import { a, rowsOf } from "#test/fixture-store.ts";
import { all, cut, flip, type Left, leftBehind, named, numbersOf, opened, options, report } from "./damaged.ts";

describe("the engine's log", () => {
  it("is read if it is intact", async () => {
    await using left = await leftBehind();
    expect(await opened(left)).toEqual({ numbers: all, notices: [] });
  });

  it.each<[what: string, damage: (log: string) => Promise<unknown>, words: string]>([
    [
      "gone",
      (log) => rm(log),
      "census.duckdb.wal: is missing; the commands that it had are stored again from the queue (5 to 10)",
    ],
    ["empty", (log) => writeFile(log, ""), "census.duckdb.wal: is empty; the commands that it had"],
    ["cut in half", (log) => cut(log, 0.5), "census.duckdb.wal: was damaged, or cut off; the commands that it had"],
    [
      "cut in its last bytes",
      (log) => cut(log, 0.999),
      "census.duckdb.wal: was damaged, or cut off; the commands that it had are stored again from the queue (10)",
    ],
    ["another kind of file by one bit", (log) => flip(log, 0), "wal: could not be read; the commands that it had"],
    [
      "damaged in the middle",
      async (log) => flip(log, (await readFile(log)).length >> 1),
      "wal: was damaged, or cut off",
    ],
    ["replaced by an older one", (log) => shorten(log, 0.5), "wal: was damaged, or cut off; the commands that it had"],
  ])("may be %s: its commands are stored again from the queue, and that is reported", async (_what, damage, words) => {
    await using left = await leftBehind();
    await damage(left.log);
    const { numbers, notices } = await opened(left);
    expect(numbers).toEqual(all);
    expect(notices.at(-1)).toContain(words);
    expect(notices.at(-1)).toMatch(/ stored again from the queue \((?:\d to )?10\)$/);
    expect(await opened(left)).toEqual({ numbers: all, notices: [] });
  });

  it("that is lost keeps the status at starting until its commands are stored again", async () => {
    await using left = await leftBehind();
    await rm(left.log);
    const store = await Store.open({ ...options, directory: left.directory });
    expect(store.isCatchingUp).toBe(true);
    expect(await numbersOf(store)).not.toEqual(all);
    await expect.poll(() => store.isCatchingUp).toBe(false);
    expect(await numbersOf(store)).toEqual(all);
    await store.accept(report(10));
    expect(store.isCatchingUp).toBe(false);
    await store.close();
  });

  it.each<[what: string, part: number]>([
    ["in half", 0.5],
    ["in its last bytes", 0.999],
    ["in its first transaction", 0.02],
  ])("that is cut %s is reported, with the bytes that the engine ignores", async (_what, part) => {
    await using left = await leftBehind();
    await cut(left.log, part);
    const { size } = await stat(left.log);
    const { notices } = await opened(left);
    expect(notices).toEqual([
      expect.stringContaining(`to ${size}); what it held is stored again from the queue`),
      expect.stringMatching(/wal: was damaged, or cut off; .* stored again from the queue \((?:\d to )?10\)$/),
    ]);
    expect(await opened(left)).toEqual({ numbers: all, notices: [] });
  });

  it.each<[what: string, damage: (log: string) => Promise<unknown>, words: RegExp]>([
    ["torn, with zeros behind it", (log) => appendFile(log, Buffer.alloc(4096)), /entry at byte position \d+/],
    ["damaged at its end", (log) => flip(log, -3), /Corrupt WAL file/],
    ["another file's", (log) => flip(log, 24), /WAL does not match database file/],
    ["overwritten at random", async (log) => writeFile(log, randomBytes((await stat(log)).size)), /not those of a log/],
    ["damaged in its ninth byte", (log) => flip(log, 8), /not those of a log/],
    ["damaged in its tenth byte", (log) => flip(log, 9), /WAL does not match database file/],
    ["no log by its first bit", (log) => flip(log, 0), /not those of a log/],
  ])("that is %s is renamed, and the engine's message is reported", async (_what, damage, words) => {
    await using left = await leftBehind();
    await damage(left.log);
    const bytes = await readFile(left.log);
    const { numbers, notices } = await opened(left);
    expect(numbers).toEqual(all);
    expect(notices).toEqual([
      expect.stringMatching(words),
      expect.stringMatching(/ stored again from the queue \(5 to 10\)$/),
    ]);
    const [aside = ""] = await named(left.directory, "census.duckdb.wal.damaged-");
    expect(notices[0]).toContain(aside);
    expect(await readFile(join(left.directory, aside))).toEqual(bytes);
    expect(await opened(left)).toEqual({ numbers: all, notices: [] });
  });

  it("of a store of an older version, whose queue does not contain its commands, is not changed", async () => {
    await using left = await leftBehind();
    await rm(join(left.directory, "store.json"));
    await appendFile(left.log, Buffer.alloc(4096));
    await expect(opened(left)).rejects.toThrow(/census\.duckdb: .*Corrupt WAL file: entry at byte position \d+/);
    expect(await named(left.directory, "census.duckdb.wal")).toEqual(["census.duckdb.wal"]);
  });
});

const at = (time: string): { producer_timestamp: string } => ({ producer_timestamp: `2026-11-20T${time}Z` });

describe("commands that are stored again", () => {
  it("have the same result: no duplicates, and no data that were replaced, deleted or discarded", async () => {
    await using left = await leftBehind([
      report(4),
      a.facts("web", { ...at("10:00:00"), values: { number: 1 } }),
      a.facts("web", { ...at("10:02:00"), values: { number: 2 } }),
      a.facts("web", { ...at("10:01:00"), values: { number: 3 } }),
      a.catalog("web", at("10:00:00")),
      a.catalog("web", at("10:00:00")),
      a.facts("gone", at("10:00:00")),
      a.deactivation("gone", "2026-11-20T11:00:00Z"),
      { ...a.facts("broken"), payload: "{" },
    ]);
    const states = async (directory: string): Promise<unknown> => {
      const store = await Store.open({ ...options, directory });
      try {
        await store.submit(a.facts("last", at("12:00:00")));
        const entities = ["nodes", "facts", "catalogs", "resources", "reports", "events", "factsets"];
        return await Promise.all(entities.map(async (entity) => (await rowsOf(store, entity)).map(sorted).sort()));
      } finally {
        await store.close();
      }
    };
    const whole = join(dirname(left.directory), "whole");
    await cp(left.directory, whole, { recursive: true });
    await rm(left.log);
    const letters = new DeadLetters(join(left.directory, "queue"));
    const [letter] = await letters.list();
    await letters.delete(letter?.name ?? "");
    expect(await states(left.directory)).toEqual(await states(whole));
    // Its owner has seen it.
    expect(await letters.list()).toEqual([]);
  });
});

/** Members sorted by name, because their order has no meaning. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Has the log as it was when about this part of it was there. */
async function shorten(log: string, part: number): Promise<void> {
  await cut(log, part);
  await truncate(log, logEndOf(log)?.complete);
}

/** Has the database file as it was before its last checkpoint. */
async function older(left: Left): Promise<void> {
  const copy = `${left.path}.older`;
  await copyFile(left.path, copy);
  await opened(left);
  await rm(left.log, { force: true });
  await copyFile(copy, left.path);
  await rm(copy);
}

it("a damaged description of the tables is restored from its copy, and that is reported", async () => {
  await using left = await leftBehind();
  await flip(left.path, 12_288 + 20);
  const { numbers, notices } = await opened(left);
  expect(numbers).toEqual(all);
  expect(notices).toEqual([expect.stringContaining("were damaged, as an unfinished checkpoint leaves them (0)")]);
  expect(await opened(left)).toEqual({ numbers: all, notices: [] });
});

describe("a data directory that contains less than store.json says", () => {
  /** Changes what is there; may return another state to begin from. */
  type Damage = (left: Left) => Promise<unknown>;

  it.each<[what: string, words: RegExp, damage: Damage]>([
    [
      "no database file",
      /census\.duckdb: is missing; on 2026-.* it held 3 nodes and 4 reports/,
      ({ path }) => rm(path),
    ],
    ["half of one", /census\.duckdb: is cut off: it has \d+ bytes of \d+/, ({ path }) => cut(path, 0.5)],
    ["its first bytes", /census\.duckdb: is cut off/, ({ path }) => cut(path, 0.001)],
    ["an older one", /is an older state of the store than the one of 2026-/, older],
    [
      "a file whose description of the tables is damaged",
      /computed checksum \d+ does not match stored checksum \d+ in block at location 12288\. Restore a backup/,
      async ({ path }) => {
        await rm(`${path}${savedBlocksEnding}`);
        await flip(path, 12_288 + 20);
      },
    ],
    [
      "a file with damaged first bytes",
      /is not a database of this engine, or its first bytes are damaged/,
      ({ path }) => flip(path, 8),
    ],
    [
      "no queue",
      /its queue is missing, or belongs to another store/,
      ({ directory }) => rm(join(directory, "queue"), { recursive: true }),
    ],
    [
      "a queue without the commands that were stored last",
      /the queue lacks acknowledged commands \(5 to 9\)/,
      async ({ directory, log }) => {
        await rm(log);
        const commands = join(directory, "queue", "commands");
        const [name = ""] = await named(commands, "0");
        const bytes = await readFile(join(commands, name));
        // Of commands 5 to 10 the last alone is left.
        const records = bytes.toString("latin1").split("CQR1").length;
        expect(records).toBeGreaterThan(5);
        const last = bytes.lastIndexOf("CQR1");
        await rm(join(commands, name));
        await mkdir(commands, { recursive: true });
        await writeFile(join(commands, "0000000000000010.log"), bytes.subarray(last));
      },
    ],
  ])("is refused with the reason and a remedy if it has %s", async (_what, words, damage) => {
    await using left = await leftBehind();
    await damage(left);
    await expect(opened(left)).rejects.toMatchObject({ code: "bad-file", message: expect.stringMatching(words) });
    await expect(opened(left)).rejects.toThrow(
      /[Rr]estore a backup|Put that file back|Put the files of the queue back/,
    );
  });

  it("is opened if the loss is accepted, and later without that", async () => {
    await using left = await leftBehind();
    await older(left);
    await expect(opened(left)).rejects.toThrow("--accept-loss");
    const { numbers } = await opened(left, { acceptsLoss: true });
    expect(numbers.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect((await opened(left)).numbers).toEqual(numbers);
  });

  it("is filled again from the queue if the file is missing and the loss is accepted", async () => {
    await using left = await leftBehind();
    await rm(left.path);
    await rm(left.log);
    const { numbers } = await opened(left, { acceptsLoss: true });
    expect(numbers).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it("is refused with the database file of another store", async () => {
    await using left = await leftBehind();
    await using other = await leftBehind([a.facts("other")]);
    for (let time = 0; time < 3; time++) await opened(other);
    await rm(left.log);
    await copyFile(other.path, left.path);
    await expect(opened(left)).rejects.toThrow("census.duckdb: is the file of another store than store.json describes");
  });

  it("of an older version, without store.json, gets one", async () => {
    await using left = await leftBehind();
    await rm(join(left.directory, "store.json"));
    expect(await opened(left)).toEqual({ numbers: all, notices: [] });
    expect(JSON.parse(await readFile(join(left.directory, "store.json"), "utf8"))).toMatchObject({
      format: 1,
      reports: 10,
    });
  });

  it("with a damaged store.json gets a new one, and that is reported", async () => {
    await using left = await leftBehind();
    await writeFile(join(left.directory, "store.json"), "{");
    expect(await opened(left)).toEqual({
      numbers: all,
      notices: [`${left.directory}: store.json is damaged and is written again`],
    });
  });
});

it("a damaged last command of the queue is saved in queue/damaged/ if the loss is accepted", async () => {
  await using left = await leftBehind();
  const commands = join(left.directory, "queue", "commands");
  const [name = ""] = await named(commands, "0");
  await rm(left.log);
  await flip(join(commands, name), -100);
  const store = await Store.open({ ...options, directory: left.directory, acceptsLoss: true });
  expect(store.damagedQueueFiles).toEqual([expect.stringContaining(join("queue", "damaged", name))]);
  await store.submit(report(10));
  expect(await numbersOf(store)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10]);
  await store.close();
});
