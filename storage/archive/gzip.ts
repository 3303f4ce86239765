import { once } from "node:events";
import { constants, crc32, createDeflateRaw } from "node:zlib";

/** The lowest level whose archives are no larger than PuppetDB's, which contain less (`docs/performance.md`). */
const LEVEL = 5;

/** The window of deflate, bytes. */
const WINDOW = 32 * 1024;

/** Pieces that are compressed in parallel: enough to keep up with the engine. */
const PARALLEL_PIECES = 2;

/** After this many further pieces have been read, {@link gzipped} does not need a piece any more. */
export const PIECES_IN_USE = PARALLEL_PIECES + 1;

/** Bytes that one thread compresses at a time. */
export const PIECE = 1024 * 1024;

/**
 * Larger than a compressed piece, so that it needs one call to the thread pool; and a size that no other buffer has.
 */
const CHUNK = PIECE / 4 + 8;

/** Magic, deflate, no flags, no time, no level, Unix. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/** An empty last block. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/**
 * Compresses pieces on several threads into one gzip stream with one member, because PuppetDB reads only the first.
 * Each piece continues the one before and can refer to its last bytes.
 * @param pieces of at most {@link PIECE} bytes; each must stay unchanged until {@link PIECES_IN_USE} more have been read
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
    // An error is thrown when its turn comes.
    part.catch(() => undefined);
    waiting.push(part);
    dictionary = piece.subarray(-WINDOW);
    if (waiting.length > PARALLEL_PIECES) yield await (waiting.shift() as Promise<Buffer>);
  }
  for (const part of waiting) yield await part;
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(checksum, 0);
  tail.writeUInt32LE(size % 2 ** 32, 4);
  yield Buffer.concat([LAST_BLOCK, tail]);
}

/** Ends at a whole byte, so that another part can follow. */
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
  // The garbage collector would keep dozens of MB of it, because it is freed with objects that live until a full
  // collection.
  for (const memory of new Set(made.map(({ buffer }) => buffer as ArrayBuffer))) {
    if (memory.byteLength === CHUNK) memory.transfer(0);
  }
  return own;
}
