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
  ])("returns an entry as it was appended, at once and after it is reopened: %s", async (_what, entry) => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const kept = await log.append(entry, payload("one"));
    expect(kept).toStrictEqual({ ...entry, id: 1, size: 5 });
    expect(await texts(log, [kept])).toEqual(["one"]);
    const again = await reopen(folder.path);
    expect(again.left).toStrictEqual([kept]);
    expect(await texts(again.log, again.left)).toEqual(["one"]);
  });

  it("reads a payload from the disk if it was appended with the hint that no one needs it", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const sent = payload("one");
    const [unwanted, wanted] = [await log.append(newEntry(), sent, false), await log.append(newEntry(), sent)];
    expect(await log.read(wanted)).toBe(sent);
    expect(await log.read(unwanted)).not.toBe(sent);
    expect(await texts(log, [unwanted, wanted])).toEqual(["one", "one"]);
  });

  it("stores 500 simultaneous commands in their order with at most two writes", async () => {
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

  it("drops released commands, and deletes segments that contain no others", async () => {
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

  it("overwrites released commands, and no others", async () => {
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

  it("reuses segments that are full and released", async () => {
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

  it("deletes its last segment on request while no command waits, and continues in a new one", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    await log.append(newEntry(), payload("a"));
    await log.freeReserved();
    expect(await segments(folder.path)).toEqual(["0000000000000001.log"]);
    await release(log, 1);
    // A command that arrives meanwhile is kept.
    const [, kept] = await Promise.all([log.freeReserved(), log.append(newEntry(), payload("b"))]);
    expect(await segments(folder.path)).toEqual(["0000000000000002.log"]);
    expect(await texts(log, [kept])).toEqual(["b"]);
    expect((await reopen(folder.path, 1)).left).toStrictEqual([kept]);
  });

  it("keeps unreleased commands when it is closed", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    await log.append(newEntry(), payload("a"));
    await log.close();
    expect(ids((await reopen(folder.path)).left)).toEqual([1]);
  });

  it("skips commands that are stored according to the database", async () => {
    await using folder = await temporaryFolder();
    await leave(folder.path, "a", "b", "c");
    const { log, left } = await reopen(folder.path, 2);
    expect(ids(left)).toEqual([3]);
    expect((await log.append(newEntry(), payload("d"))).id).toBe(4);
  });

  it("continues after the last stored id if it is empty", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path, 41);
    expect((await log.append(newEntry(), payload("a"))).id).toBe(42);
  });

  it("keeps its identity when it is reopened; another queue has another one", async () => {
    await using one = await temporaryFolder();
    await using other = await temporaryFolder();
    const { log } = await reopen(one.path);
    expect(log.identity).toMatch(/^[0-9a-f-]{36}$/);
    expect((await reopen(one.path)).log.identity).toBe(log.identity);
    expect((await reopen(other.path)).log.identity).not.toBe(log.identity);
  });

  it("requests the progress for its own identity", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const identities: string[] = [];
    const again = await FileLog.open(folder.path, (identity) => {
      identities.push(identity);
      return { stored: 0, checkpointed: 0 };
    });
    await again.log.close();
    expect(identities).toEqual([log.identity]);
  });

  it("names the folder that it cannot use", async () => {
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
  it("is reported for each of its commands, and leaves no trace in the log", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    const before = await log.append(newEntry(), payload("before"));
    const handles = await fileHandles(join(folder.path, "identity"));
    vi.spyOn(handles, "writev").mockImplementationOnce(async function (this: FileHandle, buffers, position) {
      // Write the part that fits on the disk, then fail.
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

  it.each(["writev", "truncate", "sync"] as const)("does not affect the next write, if %s fails", async (what) => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    vi.spyOn(await fileHandles(join(folder.path, "identity")), what).mockRejectedValueOnce(full());
    await expect(log.append(newEntry(), payload("x"))).rejects.toMatchObject({ code: "unavailable" });
    const kept = await log.append(newEntry(), payload("y"));
    expect((await reopen(folder.path)).left).toStrictEqual([kept]);
  });

  // Segments used to be deleted after a successful write only, so a disk full of released commands stayed full.
  it("frees disk space by deleting released segments", async () => {
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
