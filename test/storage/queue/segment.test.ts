import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeRecord, HEADER, MARK } from "#storage/queue/record.ts";
import { scanSegment } from "#storage/queue/segment.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { newEntry } from "./entries.ts";

const payload = Buffer.from('{"certname":"foo"}');
const record = (id: number, content: Uint8Array = payload): Buffer =>
  Buffer.concat(encodeRecord(id, newEntry(), content));
/** Commands up to this id have been dealt with. */
const THROUGH = 0;
const [older, old, first, second, third] = [record(-1), record(0), record(1), record(2), record(3)];
const spoilt = Buffer.from(second).fill(0xff, HEADER, HEADER + 4);
/** Contents of a payload that look like the beginning of a record. */
const decoy = Buffer.concat([MARK, Buffer.alloc(12), MARK, Buffer.alloc(12, 0x01)]);

describe("a segment", () => {
  it.each<[what: string, parts: Buffer[], ids: number[], damage: [number, number][], end: number]>([
    ["with nothing in it", [], [], [], 0],
    ["that is sound", [first, second, third], [1, 2, 3], [], first.length * 3],
    ["whose last record was cut short", [first, second, third.subarray(0, 30)], [1, 2], [], first.length * 2],
    ["whose last header was cut short", [first, second.subarray(0, 5)], [1], [], first.length],
    ["whose only record was cut short", [first.subarray(0, -1)], [], [], 0],
    ["that ends in zeros", [first, Buffer.alloc(4096)], [1], [], first.length],
    [
      "with a record in the middle that a disk has spoilt",
      [first, spoilt, third],
      [1, 3],
      [[first.length, first.length * 2]],
      first.length * 3,
    ],
    ["with strange bytes in front", [Buffer.from("abc"), first], [1], [[0, 3]], first.length + 3],
    [
      "with two places damaged",
      [first, Buffer.alloc(10), second, Buffer.alloc(20), third],
      [1, 2, 3],
      [
        [first.length, first.length + 10],
        [first.length * 2 + 10, first.length * 2 + 30],
      ],
      first.length * 3 + 30,
    ],
    ["whose torn end looks like records", [first, record(2, decoy).subarray(0, -1)], [1], [], first.length],
    ["that was written over, record by record", [third, old, old], [3], [], third.length],
    ["that was written over, up to the middle of a record", [third, old.subarray(9), old], [3], [], third.length],
    [
      "whose first record was cut short when it was written over",
      [third.subarray(0, 30), old.subarray(30), old],
      [],
      [],
      0,
    ],
    [
      "with a place that was damaged after it was written over",
      [second, spoilt, third, old.subarray(5), old],
      [2, 3],
      [[second.length, second.length * 2]],
      second.length * 3,
    ],
    ["all of which has been dealt with", [old, older], [], [], 0],
    ["of which some has been dealt with", [older, old, first], [1], [], older.length + first.length * 2],
  ])("%s yields its intact commands, and the positions of damage", async (_what, parts, ids, damage, end) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "segment");
    await writeFile(path, Buffer.concat(parts));
    const scan = await scanSegment(path, THROUGH);
    expect(scan.found.map(({ entry }) => entry.id)).toEqual(ids);
    expect(scan.damage).toEqual(damage.map(([from, to]) => ({ from, to })));
    expect(scan.end).toBe(end);
  });

  it("yields a record that follows more than 1 MB of damage", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "segment");
    // The search reads 1 MB at a time: the mark crosses the border of two reads, or is next to it.
    for (const shift of [-5, -4, -3, -2, -1, 0, 1]) {
      const gap = Buffer.alloc(1024 * 1024 + shift + 1, "x");
      await writeFile(path, Buffer.concat([gap, first]));
      const scan = await scanSegment(path, THROUGH);
      expect(scan.found.map(({ entry, at }) => [entry.id, at])).toEqual([
        [1, gap.length + first.length - payload.length],
      ]);
    }
  });
});
