import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { HEADER } from "#storage/queue/record.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { complete, newEntry } from "./entries.ts";
import { payload, reopen, leave, release, segments, ids, texts, fileHandles, record, full } from "./opened-log.ts";

describe("a queue after a crash or damage", () => {
  it("lacks only the command that was being written, and saves the bytes of it that were written", async () => {
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

  it("keeps commands that are stored but not in the database file yet", async () => {
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

  it("reports the ids of commands whose segment is missing", async () => {
    await using folder = await temporaryFolder();
    for (const text of ["a", "b", "c"]) {
      const { log } = await reopen(folder.path);
      await log.append(newEntry(), payload(text));
    }
    await rm(join(folder.path, "commands", "0000000000000002.log"));
    expect((await reopen(folder.path)).missing).toEqual([{ from: 2, to: 2 }]);
  });

  it("does not report ids of refused commands as missing", async () => {
    await using folder = await temporaryFolder();
    const { log } = await reopen(folder.path);
    vi.spyOn(await fileHandles(join(folder.path, "identity")), "writev").mockRejectedValueOnce(full());
    await expect(log.append(newEntry(), payload("x"))).rejects.toMatchObject({ code: "unavailable" });
    await log.append(newEntry(), payload("y"));
    const again = await reopen(folder.path);
    expect([ids(again.left), again.missing]).toEqual([[2], []]);
  });

  it("saves damaged bytes, and keeps the commands after them", async () => {
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

  it("is kept with its failures after all others are released, until its result is in the database file", async () => {
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

  it("appears once, in its order, while the log contains it too", async () => {
    await using folder = await temporaryFolder();
    const entries = await leave(folder.path, "a", "b", "c");
    const { log } = await reopen(folder.path);
    const again = entries.map((entry) => (entry.id === 2 ? { ...entry, faults: [fault] } : entry));
    for (const entry of again.slice(1, 2)) await log.postpone(entry, payload("b"));
    expect((await reopen(folder.path)).left).toStrictEqual(again);
  });

  it("has an id that no other command gets", async () => {
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

  it("is not lost if a crash interrupts the next time that it is postponed", async () => {
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

  it("is moved to damaged/ if its file is damaged", async () => {
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
