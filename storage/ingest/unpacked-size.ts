import type { Submission } from "./submission.ts";

/** A gzip member's header and trailer have at least this many bytes. */
const MIN_MEMBER_BYTES = 18;

/** Deflate unpacks one byte to at most this many. */
const MAX_RATIO = 1032;

/** The first bytes of a gzip member. */
const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);

/** The ratio assumed for a packed payload whose size is unknown: large enough that another thread prepares it. */
const UNKNOWN_RATIO = 1000;

/**
 * The unpacked size of a payload in bytes, from its last four bytes. It is reliable: unpacking fails if the size
 * differs.
 * @returns undefined where only unpacking would show it, e.g. for several gzip members in sequence
 */
export function unpackedSize({ payload, encoding }: Pick<Submission, "payload" | "encoding">): number | undefined {
  if (encoding === undefined) return typeof payload === "string" ? Buffer.byteLength(payload) : payload.length;
  if (typeof payload === "string" || payload.length < MIN_MEMBER_BYTES) return payload.length;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const size = bytes.readUInt32LE(bytes.length - 4);
  if (size > bytes.length * MAX_RATIO || bytes.includes(MAGIC, 1)) return undefined;
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
