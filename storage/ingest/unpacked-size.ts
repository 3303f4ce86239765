import type { Submission } from "./submission.ts";

/** A gzip member's header and trailer have at least this many bytes. */
const LEAST = 18;

/** Deflate makes at most this many bytes of one. */
const MOST = 1032;

/** What a gzip member begins with. */
const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);

/** The ratio assumed for a packed payload whose size is unknown: large enough that another thread prepares it. */
const UNKNOWN_RATIO = 1000;

/**
 * The size of a payload once unpacked, in bytes, as its last four bytes give it. It is reliable: unpacking fails if another
 * size comes out.
 * @returns undefined where only unpacking would show it, e.g. because several gzip members follow one another
 */
export function unpackedSize({ payload, encoding }: Pick<Submission, "payload" | "encoding">): number | undefined {
  if (encoding === undefined) return typeof payload === "string" ? Buffer.byteLength(payload) : payload.length;
  if (typeof payload === "string" || payload.length < LEAST) return payload.length;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const size = bytes.readUInt32LE(bytes.length - 4);
  if (size > bytes.length * MOST || bytes.includes(MAGIC, 1)) return undefined;
  return size;
}

/** The same, estimated where it is unknown. */
export function approximateSize(submission: Submission): number {
  return unpackedSize(submission) ?? submission.payload.length * UNKNOWN_RATIO;
}

/** Bytes of several payloads once unpacked, approximately. */
export function totalSize(submissions: readonly Submission[]): number {
  return submissions.reduce((sum, submission) => sum + approximateSize(submission), 0);
}
