import { open } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openMembers } from "#storage/archive/members.ts";
import { directoryRecord, dosTime, endOfDirectory, localHeader, type ZipEntry } from "#storage/archive/zip-records.ts";
import { read, temporary } from "./build.ts";

const TIME = dosTime(new Date("2026-11-21T00:11:46Z"));

const body = Buffer.from('{"certname":"web-01.example.com"}');
const data = deflateRawSync(body);

function entryAt(offset: number): ZipEntry {
  return { name: Buffer.from("a.json"), crc32: crc32(body), packed: data.length, size: body.length, offset };
}

describe("the records of a zip", () => {
  it.each([
    ["at the beginning", 0],
    ["just below 4 GB", 2 ** 32 - 2],
    ["where the old fields end", 2 ** 32 - 1],
    ["far behind 4 GB", 5 * 2 ** 30],
  ])("lead to a member that lies %s", async (_where, offset) => {
    await using place = await temporary();
    const path = join(place.path, "a.zip");
    const entry = entryAt(offset);
    const local = Buffer.concat([localHeader(entry, TIME), data]);
    const record = directoryRecord(entry, TIME);
    const start = offset + local.length;
    const end = endOfDirectory(1, start, record.length);
    await using file = await open(path, "w");
    // What lies before is no more than a hole in the file.
    if (offset > 0) await file.write("PK\x03\x04", 0);
    await file.write(Buffer.concat([local, record, end]), 0, undefined, offset);
    expect(await read(path)).toEqual([["a.json", body.toString()]]);
  });

  it.each([65_534, 65_535])("hold %d members", async (count) => {
    await using place = await temporary();
    const path = join(place.path, "a.zip");
    const local = Buffer.concat([localHeader(entryAt(0), TIME), data]);
    const record = directoryRecord(entryAt(0), TIME);
    const directory = Buffer.concat(Array.from({ length: count }, () => record));
    await using file = await open(path, "w");
    await file.write(Buffer.concat([local, directory, endOfDirectory(count, local.length, directory.length)]));
    let found = 0;
    const only = (): boolean => ++found === count;
    const read = await Array.fromAsync(openMembers(path, {}, { only }));
    expect(read).toEqual([{ name: "a.json", body }]);
    expect(found).toBe(count);
  });

  it.each([
    ["2026-11-21T00:11:46Z", 0x5d750177],
    ["1980-01-01T00:00:01Z", 0x00210000],
    ["1970-01-01T00:00:00Z", 0x00210000],
  ])("tell the time %s", (time, expected) => {
    expect(dosTime(new Date(time))).toBe(expected);
  });
});
