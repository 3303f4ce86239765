import { type FileHandle, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { NewEntry } from "#storage/queue/entry.ts";
import { FileLog } from "#storage/queue/file-log.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { complete, newEntry } from "./entries.ts";
import { payload, reopen, leave, release, segments, ids, texts, fileHandles, full } from "./opened-log.ts";

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

  it("says what to do where the disk fails when it is opened", async () => {
    await using folder = await temporaryFolder();
    await leave(folder.path, "a");
    const failed = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    vi.spyOn(await fileHandles(join(folder.path, "identity")), "datasync").mockRejectedValueOnce(failed);
    await expect(reopen(folder.path)).rejects.toThrow("EIO: i/o error, fdatasync; check the disk, then try again");
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
