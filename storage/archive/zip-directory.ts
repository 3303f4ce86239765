import { collect, type OpenArchive } from "./source.ts";

/**
 * Where a zip's central directory ends, and the bytes that are read there in place of the file's own: the same end of
 * directory, without a comment, and in the zip64 form whenever the count requires it. unzipper searches for the end in
 * the last 80 bytes only, and takes a count of exactly 65,535 for zip64.
 */
export interface DirectoryEnd {
  /** byte of the file at which `tail` begins */
  readonly offset: number;
  readonly tail: Buffer;
}

const END_SIGNATURE = "PK\x05\x06";
const END_BYTES = 22;
const COMMENT_BYTES = 0xffff;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
/** The value of the old fields when the zip64 record has the real one. */
const FULL16 = 0xffff;
const FULL32 = 0xffffffff;
/** The fixed part of a member's record in the central directory. */
const RECORD_BYTES = 46;

/**
 * Finds the end of the central directory and checks that its number of members is possible.
 * @throws CensusError `bad-file` when there is none, or when it cannot belong to this file
 */
export async function directoryEnd(archive: OpenArchive): Promise<DirectoryEnd> {
  const { guard, size } = archive;
  const from = Math.max(0, size - END_BYTES - COMMENT_BYTES - LOCATOR_BYTES);
  const last = await bytes(archive, from, size);
  const at = findEnd(last);
  if (at === undefined) throw guard.error("damaged zip: truncated, the directory at its end is missing");
  if (last.readUInt16LE(at + 4) !== last.readUInt16LE(at + 6)) throw guard.error("one part of a split zip archive");
  const offset = from + at;
  let count = last.readUInt16LE(at + 10);
  let start = last.readUInt32LE(at + 16);
  if ((count === FULL16 || start === FULL32) && at >= LOCATOR_BYTES) {
    const locator = last.subarray(at - LOCATOR_BYTES, at);
    if (locator.readUInt32LE(0) === LOCATOR_SIGNATURE) {
      const record = await bytes(archive, Number(locator.readBigUInt64LE(8)), offset, END64_BYTES);
      if (record.length < END64_BYTES || record.readUInt32LE(0) !== END64_SIGNATURE) {
        throw guard.error("damaged zip: its zip64 directory is broken");
      }
      count = Number(record.readBigUInt64LE(32));
      start = Number(record.readBigUInt64LE(48));
    }
  }
  if (start + count * RECORD_BYTES > offset) {
    throw guard.error(`damaged zip: its directory of ${count} members at byte ${start} does not fit into the file`);
  }
  guard.expect(count);
  return { offset, tail: tail(offset, count, start) };
}

/** The last end record whose comment reaches exactly to the end of the file. */
function findEnd(last: Buffer): number | undefined {
  for (let at = last.length - END_BYTES; at >= 0; at--) {
    at = last.lastIndexOf(END_SIGNATURE, at, "latin1");
    if (at >= 0 && at + END_BYTES + last.readUInt16LE(at + 20) === last.length) return at;
  }
  return undefined;
}

function tail(offset: number, count: number, start: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.write(END_SIGNATURE, "latin1");
  end.writeUInt16LE(Math.min(count, FULL16), 8);
  end.writeUInt16LE(Math.min(count, FULL16), 10);
  end.writeUInt32LE(Math.min(start, FULL32), 16);
  if (count < FULL16 && start < FULL32) return end;
  const record = Buffer.alloc(END64_BYTES);
  record.writeUInt32LE(END64_SIGNATURE, 0);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(LOCATOR_BYTES);
  locator.writeUInt32LE(LOCATOR_SIGNATURE, 0);
  locator.writeBigUInt64LE(BigInt(offset), 8);
  return Buffer.concat([record, locator, end]);
}

async function bytes(archive: OpenArchive, start: number, end: number, limit = end - start): Promise<Buffer> {
  if (start < 0 || start >= end) return Buffer.alloc(0);
  return collect(archive.read(start, Math.min(end, start + limit)));
}
