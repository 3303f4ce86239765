import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync } from "node:zlib";
import type { WrittenMember } from "./write.ts";
import { directoryRecord, dosTime, endOfDirectory, localHeader } from "./zip-records.ts";

/** As small as the default level makes it, at twice the speed (reference/platform.md §6). */
const COMPRESSION = { level: 4 };

/** Up to this size (bytes) a trip to the thread pool costs more than it spares the event loop. */
const AT_ONCE = 64 * 1024;

/** Members that are compressed side by side. */
const OUTSTANDING = 2;

/** Records of the directory that are put together to one piece of memory. */
const TOGETHER = 512;

const deflateInPool = promisify(deflateRaw);

/** A member, compressed. */
interface Packed {
  readonly name: Buffer;
  readonly crc32: number;
  readonly size: number;
  readonly data: Buffer;
}

/**
 * Writes a zip. Memory holds its directory, some 150 bytes for each member, and a few members.
 * @throws whatever the members or the target failed with
 */
export async function writeZip(target: Writable, members: AsyncIterable<WrittenMember>, date: Date): Promise<void> {
  const parts = zipped(inOrder(members), dosTime(date));
  try {
    await pipeline(parts, target);
  } finally {
    // Whatever failed: the members have ended before anybody is told.
    await parts.return(undefined);
  }
}

async function* zipped(members: AsyncIterable<Packed>, time: number): AsyncGenerator<Buffer> {
  const directory = new Directory();
  let offset = 0;
  for await (const { name, crc32: checksum, size, data } of members) {
    const entry = { name, crc32: checksum, size, packed: data.length, offset };
    directory.add(directoryRecord(entry, time));
    const part = Buffer.concat([localHeader(entry, time), data]);
    offset += part.length;
    yield part;
  }
  let size = 0;
  for (const records of directory.pieces()) {
    size += records.length;
    yield records;
  }
  yield endOfDirectory(directory.count, offset, size);
}

/** Compresses on several threads; what comes out stands in the order in which it went in. */
async function* inOrder(members: AsyncIterable<WrittenMember>): AsyncGenerator<Packed> {
  const waiting: Promise<Packed>[] = [];
  for await (const member of members) {
    const packed = pack(member);
    // What fails is thrown when it is its turn.
    packed.catch(() => undefined);
    waiting.push(packed);
    if (waiting.length > OUTSTANDING) yield await (waiting.shift() as Promise<Packed>);
  }
  for (const packed of waiting) yield await packed;
}

async function pack({ name, body }: WrittenMember): Promise<Packed> {
  const given = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const about = { name: Buffer.from(name), crc32: crc32(given), size: given.length };
  if (given.length <= AT_ONCE) return { ...about, data: deflateRawSync(given, COMPRESSION) };
  return { ...about, data: await deflateInPool(Buffer.from(given), COMPRESSION) };
}

/** The directory as it grows, in few pieces of memory: as many as there are members would cost more than they hold. */
class Directory {
  count = 0;
  readonly #pieces: Buffer[] = [];
  #records: Buffer[] = [];

  add(record: Buffer): void {
    this.count++;
    this.#records.push(record);
    if (this.#records.length === TOGETHER) this.#put();
  }

  pieces(): readonly Buffer[] {
    this.#put();
    return this.#pieces;
  }

  #put(): void {
    this.#pieces.push(Buffer.concat(this.#records));
    this.#records = [];
  }
}
