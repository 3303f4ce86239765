/** What a zip says of a member, at its place and in the directory. */
export interface ZipEntry {
  /** UTF-8 */
  readonly name: Buffer;
  readonly crc32: number;
  /** bytes, packed and unpacked: of a document that was in memory, far below 4 GB */
  readonly packed: number;
  readonly size: number;
  /** byte of the file at which its local header begins */
  readonly offset: number;
}

/** What needs more than the old fields have room for stands in records of zip64, and these fields hold as much as they can. */
const FULL16 = 0xffff;
const FULL32 = 0xffffffff;

/** Of PKWARE's specification, as readers have to know it: 2.0 for deflate, 4.5 for zip64. */
const VERSION = 20;
const VERSION_64 = 45;
const UNIX = 3 << 8;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
/** A regular file of mode 0644. */
const ATTRIBUTES = 0o100644 * 0x10000;

const EXTRA_64 = 0x0001;
const OFFSET_EXTRA_BYTES = 12;

/** The time as MS-DOS had it, taken for UTC: two seconds exact, from 1980 on. */
export function dosTime(date: Date): number {
  const years = date.getUTCFullYear() - 1980;
  if (years < 0) return (1 << 21) | (1 << 16);
  const day = (years << 25) | ((date.getUTCMonth() + 1) << 21) | (date.getUTCDate() << 16);
  return (day | (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)) >>> 0;
}

/** What stands before a member's data. */
export function localHeader({ name, crc32, packed, size }: ZipEntry, time: number): Buffer {
  const header = Buffer.alloc(30 + name.length);
  header.write("PK\x03\x04", "latin1");
  header.writeUInt16LE(VERSION, 4);
  writeShared(header, 6, { name, crc32, packed, size }, time);
  name.copy(header, 30);
  return header;
}

/** A member's record in the directory at the end. */
export function directoryRecord(entry: ZipEntry, time: number): Buffer {
  const { name, offset } = entry;
  const isFar = offset >= FULL32;
  const record = Buffer.alloc(46 + name.length + (isFar ? OFFSET_EXTRA_BYTES : 0));
  record.write("PK\x01\x02", "latin1");
  record.writeUInt16LE(UNIX | VERSION_64, 4);
  record.writeUInt16LE(isFar ? VERSION_64 : VERSION, 6);
  writeShared(record, 8, entry, time);
  record.writeUInt32LE(ATTRIBUTES, 38);
  record.writeUInt32LE(Math.min(offset, FULL32), 42);
  name.copy(record, 46);
  if (!isFar) return record;
  record.writeUInt16LE(OFFSET_EXTRA_BYTES, 30);
  const extra = 46 + name.length;
  record.writeUInt16LE(EXTRA_64, extra);
  record.writeUInt16LE(8, extra + 2);
  record.writeBigUInt64LE(BigInt(offset), extra + 4);
  return record;
}

/** The fields that both headers have in the same order. */
function writeShared(
  header: Buffer,
  at: number,
  { name, crc32, packed, size }: Omit<ZipEntry, "offset">,
  time: number,
): void {
  header.writeUInt16LE(UTF8_NAMES, at);
  header.writeUInt16LE(DEFLATED, at + 2);
  header.writeUInt32LE(time, at + 4);
  header.writeUInt32LE(crc32, at + 8);
  header.writeUInt32LE(packed, at + 12);
  header.writeUInt32LE(size, at + 16);
  header.writeUInt16LE(name.length, at + 20);
}

/**
 * What ends a zip.
 * @param count members in the directory
 * @param start byte of the file at which the directory begins
 * @param size bytes of the directory
 */
export function endOfDirectory(count: number, start: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Math.min(count, FULL16), 8);
  end.writeUInt16LE(Math.min(count, FULL16), 10);
  end.writeUInt32LE(Math.min(size, FULL32), 12);
  end.writeUInt32LE(Math.min(start, FULL32), 16);
  if (count < FULL16 && start < FULL32 && size < FULL32) return end;
  const record = Buffer.alloc(56);
  record.write("PK\x06\x06", "latin1");
  record.writeBigUInt64LE(BigInt(record.length - 12), 4);
  record.writeUInt16LE(UNIX | VERSION_64, 12);
  record.writeUInt16LE(VERSION_64, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", "latin1");
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, end]);
}
