import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import { messageOf } from "#storage/errors.ts";
import type { WrittenMember } from "./write.ts";

/** Smaller than the default level makes it would cost half as much again. */
const GZIP = { level: 4, memLevel: 9 };

/** Bytes that are handed to zlib in one go: each time costs a trip to the thread pool. */
const PIECE = 256 * 1024;

const MODE = 0o644;

/**
 * Writes a gzip'd tar. Compressing is done beside the event loop, while the next members are made.
 * @throws whatever the members or the target failed with
 */
export async function writeTarGz(target: Writable, members: AsyncIterable<WrittenMember>, mtime: Date): Promise<void> {
  const packer = pack();
  // Its own faults come out of the pipeline, and the pipeline's are no news.
  packer.on("error", () => undefined);
  const gzip = createGzip({ ...GZIP, chunkSize: PIECE });
  const written = pipeline(inPieces(packer as AsyncIterable<Buffer>), gzip, target);
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  written.then(end, end);
  try {
    for await (const { name, body } of members) {
      if (hasEnded) break;
      await add(packer, name, Buffer.isBuffer(body) ? body : Buffer.from(body), mtime);
    }
    packer.finalize();
  } catch (error) {
    packer.destroy(error instanceof Error ? error : new Error(messageOf(error)));
  }
  await written;
}

async function add(packer: Pack, name: string, body: Buffer, mtime: Date): Promise<void> {
  return new Promise((resolve, reject) => {
    packer.entry({ name, mtime, mode: MODE, size: body.length }, body, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}

/** The same bytes in larger pieces. */
async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE) continue;
    yield Buffer.concat(gathered, bytes);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(gathered, bytes);
}
