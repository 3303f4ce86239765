import { describe, expect, it } from "vitest";
import { MemoryLog } from "#storage/queue/memory-log.ts";
import { complete, newEntry } from "./entries.ts";

const text = Buffer.from("{}");

describe("the queue of a store in memory", () => {
  it("returns an appended command until it is released", async () => {
    const log = new MemoryLog();
    const [first, second] = [await log.append(complete, text), await log.append(newEntry(), text)];
    expect(first).toStrictEqual({ ...complete, id: 1, size: 2 });
    expect(second.id).toBe(2);
    await log.release(1);
    await expect(log.read(first)).rejects.toThrow("command 1 is not in the queue");
    expect(await log.read(second)).toBe(text);
  });

  it("keeps a postponed command until it is settled", async () => {
    const log = new MemoryLog();
    const entry = await log.append(newEntry(), text);
    await log.postpone(entry, text);
    await log.release(entry.id);
    expect(await log.read(entry)).toBe(text);
    await log.settle(entry.id);
    await expect(log.read(entry)).rejects.toThrow("is not in the queue");
  });
});
