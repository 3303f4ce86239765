import { type FileHandle, open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { NewCommand } from "#storage/queue/entry.ts";
import type { QueueEntry } from "#storage/queue/entry.ts";
import { FileLog } from "#storage/queue/file-log.ts";
import { MemoryLog } from "#storage/queue/memory-log.ts";
import { encodeRecord } from "#storage/queue/record.ts";
import type { Ids } from "#storage/queue/recovery.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { flip } from "#test/storage/durability/damaged.ts";
import { newEntry } from "./entries.ts";

/** Left as by a process that was killed while the test runs; closed behind it. */
const opened: FileLog[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const log of opened.splice(0)) await log.close();
});

async function openLog(folder: string, stored = 0) {
  let missing: readonly Ids[] = [];
  const { log, recovered } = await FileLog.open(
    folder,
    () => ({ stored, checkpointed: stored }),
    (_identity, losses) => (missing = losses.missing),
  );
  opened.push(log);
  return { log, missing, ...recovered };
}

const payload = (text: string): Buffer => Buffer.from(JSON.stringify(text));

async function* commands(...texts: string[]): AsyncGenerator<NewCommand, void> {
  for (const text of texts) yield { entry: newEntry(), payload: payload(text) };
}

async function* broken(): AsyncGenerator<NewCommand, void> {
  yield* commands("a", "b");
  throw new Error("the archive is damaged");
}

const idsOf = (entries: readonly QueueEntry[]): number[] => entries.map(({ id }) => id);
const textsOf = (log: FileLog, entries: readonly QueueEntry[]): Promise<string[]> =>
  Promise.all(entries.map(async (entry) => JSON.parse(Buffer.from(await log.read(entry)).toString()) as string));
const filesIn = async (folder: string): Promise<string[]> => (await readdir(join(folder, "commands"))).sort();

describe("commands that are accepted together", () => {
  it("get consecutive ids, and are in the same order after a kill", async () => {
    await using folder = await temporaryFolder();
    const { log } = await openLog(folder.path);
    await log.append(newEntry(), payload("a"));
    const together = await log.appendAll(commands("b", "c", "d"));
    await log.append(newEntry(), payload("e"));
    expect(idsOf(together)).toEqual([2, 3, 4]);
    expect(await textsOf(log, together)).toEqual(["b", "c", "d"]);
    const after = await openLog(folder.path);
    expect(idsOf(after.entries)).toEqual([1, 2, 3, 4, 5]);
    expect(await textsOf(after.log, after.entries)).toEqual(["a", "b", "c", "d", "e"]);
    expect(after).toMatchObject({ damaged: [], missing: [] });
    expect((await after.log.append(newEntry(), payload("f"))).id).toBe(6);
  });

  it("get ids after those of commands that were accepted while they were being written", async () => {
    await using folder = await temporaryFolder();
    const { log } = await openLog(folder.path);
    const between = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<NewCommand, void> {
      yield* commands("b");
      await between.promise;
      yield* commands("c");
    }
    const together = log.appendAll(slow());
    expect((await log.append(newEntry(), payload("a"))).id).toBe(1);
    between.resolve();
    expect(idsOf(await together)).toEqual([2, 3]);
    const after = await openLog(folder.path, 2);
    expect(await textsOf(after.log, after.entries)).toEqual(["c"]);
  });

  it("are all dropped if their source fails", async () => {
    await using folder = await temporaryFolder();
    const { log } = await openLog(folder.path);
    await expect(log.appendAll(broken())).rejects.toThrow("the archive is damaged");
    expect(await filesIn(folder.path)).toEqual([]);
    expect((await log.append(newEntry(), payload("c"))).id).toBe(1);
    await expect(new MemoryLog().appendAll(broken())).rejects.toThrow("the archive is damaged");
  });

  it.each(["datasync", "sync"] as const)(
    "are all dropped if the disk reports an error (%s), and the error names the reason",
    async (call) => {
      await using folder = await temporaryFolder();
      const { log } = await openLog(folder.path);
      await log.append(newEntry(), payload("a"));
      const handle = await open(folder.path, "r");
      await handle.close();
      const refused = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const spy = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, call).mockRejectedValue(refused);
      await expect(log.appendAll(commands("b", "c"))).rejects.toMatchObject({
        code: "unavailable",
        message:
          "no command was accepted: the queue cannot be written: ENOSPC: no space left on device, write; free disk space, then try again",
      });
      spy.mockRestore();
      expect(await filesIn(folder.path)).toEqual(["0000000000000001.log"]);
      await log.append(newEntry(), payload("d"));
      const after = await openLog(folder.path);
      expect(await textsOf(after.log, after.entries)).toEqual(["a", "d"]);
      expect(after.missing).toEqual([]);
    },
  );

  it("are all dropped if the process ended while they were being written", async () => {
    await using folder = await temporaryFolder();
    await openLog(folder.path);
    const half = Buffer.concat([...encodeRecord(1, newEntry(), payload("a"))]);
    await writeFile(join(folder.path, "commands", "b4a1a1a0-0000-4000-8000-000000000000.new"), half);
    const { entries } = await openLog(folder.path);
    expect(entries).toEqual([]);
    expect(await filesIn(folder.path)).toEqual([]);
  });

  it("are reported missing if their file is missing or damaged", async () => {
    await using folder = await temporaryFolder();
    const { log } = await openLog(folder.path);
    await log.append(newEntry(), payload("a"));
    await log.appendAll(commands("b", "c"));
    await log.append(newEntry(), payload("d"));
    const [, bundle = ""] = await filesIn(folder.path);
    expect(bundle).toBe("0000000000000002-0000000000000001.bundle");
    const path = join(folder.path, "commands", bundle);
    await flip(path, -1);
    const damaged = await openLog(folder.path);
    expect(idsOf(damaged.entries)).toEqual([1, 2, 4]);
    expect(damaged.damaged).toHaveLength(1);
    expect(damaged.missing).toEqual([{ from: 3, to: 3 }]);
    await rm(path);
    expect((await openLog(folder.path)).missing).toEqual([{ from: 2, to: 3 }]);
  });

  it("leave no file once all of them are stored", async () => {
    await using folder = await temporaryFolder();
    const { log } = await openLog(folder.path);
    await log.appendAll(commands("a", "b"));
    await log.release(1);
    await log.checkpointed(1);
    expect(await filesIn(folder.path)).toHaveLength(1);
    expect(idsOf((await openLog(folder.path, 1)).entries)).toEqual([2]);
    await log.release(2);
    await log.checkpointed(2);
    expect(await filesIn(folder.path)).toEqual([]);
  });

  it("may be an empty list", async () => {
    await using folder = await temporaryFolder();
    const { log } = await openLog(folder.path);
    expect(await log.appendAll(commands())).toEqual([]);
    expect(await filesIn(folder.path)).toEqual([]);
  });
});
