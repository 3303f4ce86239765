import type { Submission } from "./submission.ts";

/** A gzip member's head and tail are this many bytes at least. */
const LEAST = 18;

/** Deflate makes at most this many bytes of one. */
const MOST = 1032;

/** What a gzip member begins with. */
const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);

/**
 * Bytes that a payload has once unpacked, as its last four bytes say. They cannot lie: where another size comes out,
 * unpacking fails. They say nothing where several members follow one another.
 * @returns undefined where that cannot be told without unpacking it
 */
export function unpackedSize({ payload, encoding }: Pick<Submission, "payload" | "encoding">): number | undefined {
  if (encoding === undefined) return typeof payload === "string" ? Buffer.byteLength(payload) : payload.length;
  if (typeof payload === "string" || payload.length < LEAST) return payload.length;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const size = bytes.readUInt32LE(bytes.length - 4);
  if (size > bytes.length * MOST || bytes.includes(MAGIC, 1)) return undefined;
  return size;
}
