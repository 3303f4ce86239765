import { once } from "node:events";
import { constants, crc32, createDeflateRaw } from "node:zlib";

/** The cheapest level that makes no more of an archive than PuppetDB, whose own has less in it (`docs/performance.md`). */
const LEVEL = 5;

/** How far back deflate looks, bytes. */
const WINDOW = 32 * 1024;

/** Pieces that are compressed side by side: as many as keep up with the engine. */
const OUTSTANDING = 2;

/** After so many more pieces have been asked for, {@link gzipped} has done with one. */
export const PIECES_HELD = OUTSTANDING + 1;

/** Bytes that are compressed in one go by one thread. */
export const PIECE = 1024 * 1024;

/**
 * Larger than what a piece is compressed to, so that it comes in one trip to the thread pool; and of a size that no other
 * memory has.
 */
const CHUNK = PIECE / 4 + 8;

/** Magic, deflate, no flags, no time, nothing about the level, made on Unix. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/** An empty block that says it is the last. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/**
 * Compresses pieces on several threads to one gzip stream, of one member: PuppetDB reads no more than the first. Each
 * piece goes on where the one before ends, whose last bytes it can point back to.
 * @param pieces of {@link PIECE} bytes or fewer; each is left as it is until {@link PIECES_HELD} more have been asked for
 */
export async function* gzipped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const waiting: Promise<Buffer>[] = [Promise.resolve(HEAD)];
  let dictionary: Buffer | undefined;
  let checksum = 0;
  let size = 0;
  for await (const piece of pieces) {
    checksum = crc32(piece, checksum);
    size += piece.length;
    const part = compressed(piece, dictionary);
    // What fails is thrown when it is its turn.
    part.catch(() => undefined);
    waiting.push(part);
    dictionary = piece.subarray(-WINDOW);
    if (waiting.length > OUTSTANDING) yield await (waiting.shift() as Promise<Buffer>);
  }
  for (const part of waiting) yield await part;
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(checksum, 0);
  tail.writeUInt32LE(size % 2 ** 32, 4);
  yield Buffer.concat([LAST_BLOCK, tail]);
}

/** Ends at a whole byte, so that another part may follow. */
async function compressed(piece: Buffer, dictionary: Buffer | undefined): Promise<Buffer> {
  const deflating = createDeflateRaw({
    level: LEVEL,
    memLevel: 9,
    chunkSize: CHUNK,
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(dictionary === undefined ? {} : { dictionary }),
  });
  const made: Buffer[] = [];
  deflating.on("data", (part: Buffer) => made.push(part)).end(piece);
  await once(deflating, "close");
  const own = Buffer.concat(made);
  // The collector would let dozens of MB of it lie about: it goes with objects that wait until everything is collected.
  for (const memory of new Set(made.map(({ buffer }) => buffer as ArrayBuffer))) {
    if (memory.byteLength === CHUNK) memory.transfer(0);
  }
  return own;
}
