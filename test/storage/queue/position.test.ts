import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { encodePosition, PositionRecord, readPosition } from "#storage/queue/position.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { fileHandles } from "./opened-log.ts";

const queue = "0b0e9a5e-0000-4000-8000-000000000001";
const other = "0b0e9a5e-0000-4000-8000-000000000002";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the position of a queue", () => {
  it("is read as it was recorded last, and never goes back", async () => {
    await using folder = await temporaryFolder();
    const record = await PositionRecord.open(folder.path, queue);
    await record.begin({ acknowledged: 3, stored: 1 });
    expect(await readPosition(folder.path, queue)).toEqual({ acknowledged: 3, stored: 1 });
    record.acknowledge(1_234_567);
    record.store(5);
    record.acknowledge(7);
    record.store(2);
    expect(await readPosition(folder.path, queue)).toEqual({ acknowledged: 1_234_567, stored: 5 });
    await record.close();
    const again = await PositionRecord.open(folder.path, queue);
    expect(await readPosition(folder.path, queue)).toEqual({ acknowledged: 1_234_567, stored: 5 });
    await again.close();
  });

  it.each<[what: string, change: (bytes: Buffer) => Uint8Array]>([
    ["empty", () => Buffer.alloc(0)],
    ["cut off", (bytes) => bytes.subarray(0, -1)],
    ["changed in a digit", (bytes) => Buffer.from(bytes).fill("7", 15, 16)],
    ["another queue's", () => encodePosition({ acknowledged: 9, stored: 9 }, other)],
  ])("is unknown where its file is %s", async (_what, change) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "position");
    await writeFile(path, encodePosition({ acknowledged: 9, stored: 9 }, queue));
    expect(await readPosition(folder.path, queue)).toEqual({ acknowledged: 9, stored: 9 });
    await writeFile(path, change(await readFile(path)));
    expect(await readPosition(folder.path, queue)).toBeUndefined();
  });

  it("is on disk a second after a change, by one operation for all changes of that second", async () => {
    await using folder = await temporaryFolder();
    const record = await PositionRecord.open(folder.path, queue);
    await record.begin({ acknowledged: 0, stored: 0 });
    const synced = vi.spyOn(await fileHandles(join(folder.path, "position")), "datasync");
    vi.useFakeTimers();
    for (let id = 1; id <= 50; id++) record.acknowledge(id);
    expect(synced).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(synced).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(5000);
    expect(synced).toHaveBeenCalledOnce();
    vi.useRealTimers();
    await record.close();
  });
});
