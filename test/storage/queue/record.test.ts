import { describe, expect, it } from "vitest";
import type { NewEntry, QueueEntry } from "#storage/queue/entry.ts";
import { decodeHeader, decodeRecord, encodeRecord, HEADER, MARK } from "#storage/queue/record.ts";
import { complete, newEntry } from "./entries.ts";

const payload = Buffer.from('{"certname":"foo"}');

function record(entry: NewEntry, content: Uint8Array = payload): Buffer {
  return Buffer.concat(encodeRecord(7, entry, content));
}

function read(bytes: Buffer): QueueEntry | undefined {
  const header = decodeHeader(bytes);
  return header && decodeRecord(header, bytes.subarray(HEADER));
}

describe("a record", () => {
  it.each<[what: string, entry: NewEntry, payload: Uint8Array]>([
    ["the least that an entry has", newEntry(), payload],
    ["everything that an entry can have", complete, payload],
    ["no payload", newEntry(), new Uint8Array()],
    ["a payload that is no text", newEntry(), Uint8Array.from({ length: 4096 }, (_, i) => i % 256)],
    ["a payload that looks like a record", newEntry(), record(newEntry())],
  ])("is decoded to what was encoded: %s", (_what, entry, content) => {
    const bytes = record(entry, content);
    expect(read(bytes)).toStrictEqual({ ...entry, id: 7, size: content.length });
    expect(bytes.subarray(bytes.length - content.length)).toStrictEqual(Buffer.from(content));
  });

  it("is rejected when any one of its bytes is changed", () => {
    const sound = record(complete);
    for (let at = 0; at < sound.length; at++) {
      const bytes = Buffer.from(sound);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
      expect(read(bytes), `byte ${at}`).toBeUndefined();
    }
  });

  it("is rejected when it is truncated", () => {
    const sound = record(complete);
    for (let length = 0; length < sound.length; length++) expect(read(sound.subarray(0, length))).toBeUndefined();
  });

  it.each<[what: string, bytes: Buffer]>([
    // Its checksum is right: that of nothing at all is 0.
    ["a mark and zeros", Buffer.concat([MARK, Buffer.alloc(HEADER - MARK.length)])],
    ["zeros", Buffer.alloc(64)],
    ["another program's bytes", Buffer.from("PK\u0003\u0004 and so on and so on")],
    ["an unknown command", record({ ...newEntry(), command: "replace everything" as "replace facts" })],
  ])("is not recognised in %s", (_what, bytes) => {
    expect(read(bytes)).toBeUndefined();
  });
});
