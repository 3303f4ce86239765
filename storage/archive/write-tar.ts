import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { gzipped, PIECE, PIECES_IN_USE } from "./gzip.ts";
import type { WrittenMember } from "./written-member.ts";

const MODE = 0o644;

/**
 * The bytes of a gzip'd tar. Compressing is done on other threads, while the next members are made.
 * @throws errors of the members
 */
export function tarGzPieces(members: AsyncIterable<WrittenMember>, mtime: Date): AsyncGenerator<Buffer, void> {
  return gzipped(inPieces(tarParts(members, mtime)));
}

/**
 * Writes a gzip'd tar.
 * @throws errors of the members or the target
 */
export async function writeTarGz(target: Writable, members: AsyncIterable<WrittenMember>, mtime: Date): Promise<void> {
  const parts = tarGzPieces(members, mtime);
  try {
    await pipeline(parts, target);
  } finally {
    // Whatever failed: end the members before the error is reported.
    await parts.return();
  }
}

async function* tarParts(members: AsyncIterable<WrittenMember>, mtime: Date): AsyncGenerator<Buffer> {
  const packer = pack();
  const chunks = (packer as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for await (const { name, body } of members) {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    packer.entry({ name, mtime, mode: MODE, size: bytes.length }, bytes);
    // Its memory may be reused after it has been read.
    for (let taken = bytes.length === 0 ? bytes : undefined; taken !== bytes;) {
      const chunk = await chunks.next();
      if (chunk.done === true) throw new Error(`the tar has ended before ${name} was in it`);
      taken = chunk.value;
      yield taken;
    }
  }
  packer.finalize();
  for (let chunk = await chunks.next(); chunk.done !== true; chunk = await chunks.next()) yield chunk.value;
}

/** The same bytes in pieces of one size. Their memory is reused, because allocating costs more than copying. */
async function* inPieces(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const ring = Array.from({ length: PIECES_IN_USE }, () => Buffer.allocUnsafeSlow(PIECE));
  let turn = 0;
  let filled = 0;
  for await (const part of parts) {
    for (let done = 0; done < part.length;) {
      const piece = ring[turn] as Buffer;
      const copied = part.copy(piece, filled, done);
      done += copied;
      filled += copied;
      if (filled < PIECE) continue;
      yield piece;
      turn = (turn + 1) % ring.length;
      filled = 0;
    }
  }
  if (filled > 0) yield (ring[turn] as Buffer).subarray(0, filled);
}
