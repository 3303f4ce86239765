import { type FileHandle, open, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CommandLog, NewEntry, QueueEntry } from "#storage/queue/entry.ts";
import { FileLog } from "#storage/queue/file-log.ts";
import { encodeRecord, HEADER } from "#storage/queue/record.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { complete, newEntry } from "./entries.ts";

/** Left as by a process that was killed while the test runs; what they hold open is closed behind it. */
const opened: FileLog[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const log of opened.splice(0)) await log.close();
});

const payload = (text: string): Buffer => Buffer.from(JSON.stringify(text));

interface Opened {
  readonly log: FileLog;
  readonly left: readonly QueueEntry[];
  readonly damaged: readonly string[];
}

async function reopen(folder: string, applied = 0): Promise<Opened> {
  const { log, recovered } = await FileLog.open(folder, () => ({ stored: applied, checkpointed: applied }));
  opened.push(log);
  return { log, left: recovered.entries, damaged: recovered.damaged };
}

/** Puts commands in and ends without a word, as a process that is killed does. */
async function leave(folder: string, ...texts: string[]): Promise<QueueEntry[]> {
  const { log } = await reopen(folder);
  const entries: QueueEntry[] = [];
  for (const text of texts) entries.push(await log.append(newEntry(), payload(text)));
  return entries;
}

/** As the store does once the database file has what the commands did. */
async function release(log: CommandLog, through: number): Promise<void> {
  await log.release(through);
  await log.checkpointed(through);
}

const segments = async (folder: string): Promise<string[]> => (await readdir(join(folder, "commands"))).sort();
const ids = (entries: readonly QueueEntry[]): number[] => entries.map(({ id }) => id);
const texts = (log: CommandLog, entries: readonly QueueEntry[]): Promise<string[]> =>
  Promise.all(entries.map(async (entry) => JSON.parse(Buffer.from(await log.read(entry)).toString()) as string));

/** What every file handle can do, to see how often it is asked to or to have the system refuse it. */
async function fileHandles(path: string): Promise<FileHandle> {
  const handle = await open(path, "r");
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

const record = (id: number): Buffer => Buffer.concat(encodeRecord(id, newEntry(), payload(`command ${id}`)));
const full = (): Error => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

describe("the queue on disk", () => {
  it.each<[what: string, entry: NewEntry]>([
    ["the least that an entry has", newEntry()],
    ["everything that an entry can have", complete],
  ])("gives back what was put in, at once and when it is opened again: %s", async (_what, entry) => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const kept = await log.append(entry, payload("one"));
    expect(kept).toStrictEqual({ ...entry, id: 1, size: 5 });
    expect(await texts(log, [kept])).toEqual(["one"]);
    const again = await reopen(folder.path);
    expect(again.left).toStrictEqual([kept]);
    expect(await texts(again.log, again.left)).toEqual(["one"]);
  });

  it("gives back from the disk what it was told would not be wanted", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const sent = payload("one");
    const [unwanted, wanted] = [await log.append(newEntry(), sent, false), await log.append(newEntry(), sent)];
    expect(await log.read(wanted)).toBe(sent);
    expect(await log.read(unwanted)).not.toBe(sent);
    expect(await texts(log, [unwanted, wanted])).toEqual(["one", "one"]);
  });

  it("takes commands that come at a time in their order, and waits for the disk once or twice for all", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const written = vi.spyOn(await fileHandles(join(folder.path, "identity")), "writev");
    const names = Array.from({ length: 500 }, (_, index) => `command ${index}`);
    const kept = await Promise.all(names.map((name) => log.append(newEntry(), payload(name))));
    expect(written.mock.calls.length).toBeLessThanOrEqual(2);
    expect(ids(kept)).toEqual(names.map((_, index) => index + 1));
    const again = await reopen(folder.path);
    expect(await texts(again.log, again.left)).toEqual(names);
  });

  it("forgets what has been released, and deletes what holds nothing else", async () => {
    await using folder = await temporaryFolder();
    await leave(folder.path, "a", "b");
    const { log, left } = await reopen(folder.path);
    const more = await log.append(newEntry(), payload("c"));
    expect(await segments(folder.path)).toHaveLength(2);
    await release(log, 1);
    await expect(log.read({ ...newEntry(), id: 1, size: 3 })).rejects.toThrow("command 1 is not in the queue");
    expect(await texts(log, [...left.slice(1), more])).toEqual(["b", "c"]);
    expect(await segments(folder.path)).toHaveLength(2);
    await release(log, 2);
    expect(await segments(folder.path)).toEqual(["0000000000000003.log"]);
    await release(log, 3);
    await log.close();
    expect(await segments(folder.path)).toEqual([]);
  });

  it("writes over what has been released, and over nothing else", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    await log.append(newEntry(), payload("a long one"));
    const size = async (): Promise<number> =>
      (await readFile(join(folder.path, "commands", "0000000000000001.log"))).length;
    const before = await size();
    await release(log, 1);
    const kept = [await log.append(newEntry(), payload("b"))];
    expect(await size()).toBe(before);
    kept.push(await log.append(newEntry(), payload("c")));
    expect(await size()).toBeGreaterThan(before);
    expect(await texts(log, kept)).toEqual(["b", "c"]);
    const again = await reopen(folder.path, 1);
    expect(await texts(again.log, again.left)).toEqual(["b", "c"]);
    expect(again.damaged).toEqual([]);
  });

  it("goes on in segments that are full and released", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const large = "x".repeat(9 * 1024 * 1024);
    for (let id = 1; id <= 3; id++) await log.append(newEntry(), payload(large));
    expect(await segments(folder.path)).toHaveLength(3);
    await release(log, 2);
    const kept = await segments(folder.path);
    const last = await log.append(newEntry(), payload("last"));
    expect(await segments(folder.path)).toEqual(kept);
    expect(ids((await reopen(folder.path, 3)).left)).toEqual([4]);
    await release(log, 3);
    expect(await texts(log, [last])).toEqual(["last"]);
    await release(log, 4);
    await log.freeReserved();
    expect(await segments(folder.path)).toEqual([]);
  });

  it("keeps no file while nothing waits and it is told to rest, and goes on in a new one", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    await log.append(newEntry(), payload("a"));
    await log.freeReserved();
    expect(await segments(folder.path)).toEqual(["0000000000000001.log"]);
    await release(log, 1);
    // One that comes while it lets go is kept.
    const [, kept] = await Promise.all([log.freeReserved(), log.append(newEntry(), payload("b"))]);
    expect(await segments(folder.path)).toEqual(["0000000000000002.log"]);
    expect(await texts(log, [kept])).toEqual(["b"]);
    expect((await reopen(folder.path, 1)).left).toStrictEqual([kept]);
  });

  it("keeps what has not been released when it is closed", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    await log.append(newEntry(), payload("a"));
    await log.close();
    expect(ids((await reopen(folder.path)).left)).toEqual([1]);
  });

  it("passes over what is known to have been dealt with", async () => {
    await using folder = await temporaryFolder();
    await leave(folder.path, "a", "b", "c");
    const { log, left } = await reopen(folder.path, 2);
    expect(ids(left)).toEqual([3]);
    expect((await log.append(newEntry(), payload("d"))).id).toBe(4);
  });

  it("goes on behind what was dealt with where nothing is left", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path, 41);
    expect((await log.append(newEntry(), payload("a"))).id).toBe(42);
  });

  it("has an identity that stays, and another one in another place", async () => {
    await using one = await temporaryFolder();
    await using other = await temporaryFolder();
    const { log } = await reopen(one.path);
    expect(log.identity).toMatch(/^[0-9a-f-]{36}$/);
    expect((await reopen(one.path)).log.identity).toBe(log.identity);
    expect((await reopen(other.path)).log.identity).not.toBe(log.identity);
  });

  it("asks for the progress of the queue that it is", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const asked: string[] = [];
    const again = await FileLog.open(folder.path, (identity) => {
      asked.push(identity);
      return { stored: 0, checkpointed: 0 };
    });
    await again.log.close();
    expect(asked).toEqual([log.identity]);
  });

  it("says which folder it cannot use", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "queue");
    await writeFile(path, "a file");
    await expect(reopen(path)).rejects.toMatchObject({
      code: "bad-file",
      message: expect.stringContaining(`${path}: the queue cannot be opened: `),
    });
  });
});

describe("a write that fails", () => {
  it("is told to everybody who waits for it, in words for them, and leaves no trace", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const before = await log.append(newEntry(), payload("before"));
    const handles = await fileHandles(join(folder.path, "identity"));
    vi.spyOn(handles, "writev").mockImplementationOnce(async function (this: FileHandle, buffers, position) {
      // As much as there was room for.
      await this.write(buffers[0] as Uint8Array, 0, 9, position);
      throw full();
    });
    const failed = await Promise.allSettled(["x", "y"].map((text) => log.append(newEntry(), payload(text))));
    for (const result of failed) {
      expect(result).toMatchObject({
        status: "rejected",
        reason: {
          code: "unavailable",
          message:
            "the command was not accepted: the queue cannot be written: ENOSPC: no space left on device, write; free disk space, then try again",
        },
      });
    }
    const after = await log.append(newEntry(), payload("after"));
    expect(await texts(log, [before, after])).toEqual(["before", "after"]);
    const again = await reopen(folder.path);
    expect(again.left).toStrictEqual([before, after]);
    expect(again.damaged).toEqual([]);
    // An id names one command for ever: those of the two that failed are not used again.
    expect(ids(again.left)).toEqual([1, 4]);
  });

  it.each(["writev", "truncate", "sync"] as const)("may be one of %s: the next is sound", async (what) => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    vi.spyOn(await fileHandles(join(folder.path, "identity")), what).mockRejectedValueOnce(full());
    await expect(log.append(newEntry(), payload("x"))).rejects.toMatchObject({ code: "unavailable" });
    const kept = await log.append(newEntry(), payload("y"));
    expect((await reopen(folder.path)).left).toStrictEqual([kept]);
  });

  // The disk was full of commands that had been dealt with, and no command could come to have them deleted.
  it("makes room by deleting what has been released", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    await log.append(newEntry(), payload("a"));
    await release(log, 1);
    expect(await segments(folder.path)).toHaveLength(1);
    vi.spyOn(await fileHandles(join(folder.path, "identity")), "writev").mockRejectedValueOnce(full());
    await expect(log.append(newEntry(), payload("b"))).rejects.toMatchObject({ code: "unavailable" });
    expect(await segments(folder.path)).toEqual([]);
  });
});

describe("what a crash leaves", () => {
  it("loses a command that was being written when it came, and no other; what is there of it is saved", async () => {
    await using folder = await temporaryFolder();
    await leave(folder.path, "a", "b", "c");
    const [segment = ""] = await segments(folder.path);
    const path = join(folder.path, "commands", segment);
    const { length } = await readFile(path);
    await truncate(path, length - 1 - HEADER);
    const { log, left, damaged } = await reopen(folder.path);
    expect(await texts(log, left)).toEqual(["a", "b"]);
    expect(damaged).toEqual([expect.stringContaining(join(folder.path, "damaged", segment))]);
    const kept = await log.append(newEntry(), payload("d"));
    expect(await texts(log, [...left, kept])).toEqual(["a", "b", "d"]);
    const again = await reopen(folder.path);
    expect(await texts(again.log, again.left)).toEqual(["a", "b", "d"]);
    expect(again.damaged).toEqual([]);
  });

  it("keeps what has been stored, but is not in the database file yet", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    for (const text of ["a", "b", "c"]) await log.append(newEntry(), payload(text));
    await log.release(3);
    await log.checkpointed(1);
    await log.freeReserved();
    const { entries, through } = await log.retained(1);
    expect([ids(entries), through]).toEqual([[2, 3], 3]);
    expect(await texts(log, entries)).toEqual(["b", "c"]);
    await log.close();
    expect(ids((await reopen(folder.path, 1)).left)).toEqual([2, 3]);
  });

  it("is met where a segment is missing: the commands are named", async () => {
    await using folder = await temporaryFolder();
    for (const text of ["a", "b", "c"]) {
      const { log } = await reopen(folder.path);
      await log.append(newEntry(), payload(text));
    }
    await rm(join(folder.path, "commands", "0000000000000002.log"));
    const progress = { stored: 0, checkpointed: 0 };
    const { log, recovered } = await FileLog.open(folder.path, () => progress);
    opened.push(log);
    expect(recovered.missing).toEqual({ from: 2, to: 2 });
  });

  it("does not miss ids of commands that were refused", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    vi.spyOn(await fileHandles(join(folder.path, "identity")), "writev").mockRejectedValueOnce(full());
    await expect(log.append(newEntry(), payload("x"))).rejects.toMatchObject({ code: "unavailable" });
    await log.append(newEntry(), payload("y"));
    const again = await FileLog.open(folder.path, () => ({ stored: 0, checkpointed: 0 }));
    opened.push(again.log);
    expect([ids(again.recovered.entries), again.recovered.missing]).toEqual([[2], undefined]);
  });

  it("saves bytes that a disk has spoilt, and keeps the commands behind them", async () => {
    await using folder = await temporaryFolder();
    await reopen(folder.path);
    const spoilt = record(2).fill("?", 20, 30);
    const name = "0000000000000001.log";
    await writeFile(join(folder.path, "commands", name), Buffer.concat([record(1), spoilt, record(3)]));
    const { log, left, damaged } = await reopen(folder.path);
    expect(await texts(log, left)).toEqual(["command 1", "command 3"]);
    expect(damaged).toEqual([join(folder.path, "damaged", `${name}-${record(1).length}`)]);
    expect(await readFile(damaged[0] ?? "")).toStrictEqual(spoilt);
  });
});

describe("a command that was postponed", () => {
  const fault = { at: 1n, message: "no luck" };

  it("is kept when everything around it is released, with its faults, until it is settled", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const [first, second] = [await log.append(complete, payload("a")), await log.append(newEntry(), payload("b"))];
    const postponed = { ...first, faults: [...first.faults, fault] };
    await log.postpone(postponed, payload("a"));
    await release(log, second.id);
    expect(await texts(log, [postponed])).toEqual(["a"]);

    const again = await reopen(folder.path, second.id);
    expect(again.left).toStrictEqual([postponed]);
    expect(await texts(again.log, again.left)).toEqual(["a"]);
    await again.log.settle(postponed.id);
    // Stored, but in the engine's log alone.
    expect((await reopen(folder.path, second.id)).left).toStrictEqual([postponed]);
    await again.log.checkpointed(second.id);
    expect((await reopen(folder.path, second.id)).left).toEqual([]);
  });

  it("is there once, in its place, where the log has it still", async () => {
    await using folder = await temporaryFolder();
    const entries = await leave(folder.path, "a", "b", "c");
    const { log } = await reopen(folder.path);
    const again = entries.map((entry) => (entry.id === 2 ? { ...entry, faults: [fault] } : entry));
    for (const entry of again.slice(1, 2)) await log.postpone(entry, payload("b"));
    expect((await reopen(folder.path)).left).toStrictEqual(again);
  });

  it("gives its number to no other", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path, 6);
    const entry = await log.append(newEntry(), payload("a"));
    await log.postpone({ ...entry, faults: [fault] }, payload("a"));
    await release(log, entry.id);
    await log.close();
    const again = await reopen(folder.path);
    expect(ids(again.left)).toEqual([7]);
    expect((await again.log.append(newEntry(), payload("b"))).id).toBe(8);
  });

  it("is not lost by a crash while it is postponed once more", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const entry = await log.append(newEntry(), payload("a"));
    const postponed = { ...entry, faults: [fault] };
    await log.postpone(postponed, payload("a"));
    await release(log, entry.id);
    await writeFile(join(folder.path, "postponed", `${"1".padStart(16, "0")}.new`), "half of");
    expect((await reopen(folder.path, entry.id)).left).toStrictEqual([postponed]);
    expect(await readdir(join(folder.path, "postponed"))).toEqual(["1".padStart(16, "0")]);
  });

  it("is put aside when a disk has spoilt it", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const entry = await log.append(newEntry(), payload("a"));
    await log.postpone({ ...entry, faults: [fault] }, payload("a"));
    const name = "1".padStart(16, "0");
    await writeFile(join(folder.path, "postponed", name), "spoilt");
    const { left, damaged } = await reopen(folder.path, entry.id);
    expect(left).toEqual([]);
    expect(damaged).toEqual([join(folder.path, "damaged", name)]);
    expect(await readFile(join(folder.path, "damaged", name), "utf8")).toBe("spoilt");
  });
});
