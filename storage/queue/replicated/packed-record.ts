import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";
import type { NewEntry, QueueEntry } from "../entry.ts";
import { decodeHeader, decodeRecord, encodeRecord, HEADER } from "../record.ts";

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** A command as the log has it: a record of the queue on disk, compressed unless its payload is. */
export async function packedRecord(entry: NewEntry, payload: Uint8Array): Promise<Buffer> {
  const { mark: _, ...others } = entry;
  const record = Buffer.concat(encodeRecord(0, others, payload));
  // Shorter records do not get much smaller.
  if (entry.encoding !== undefined || record.length < 1024) return record;
  return pack(record, { level: constants.Z_BEST_SPEED });
}

/** The command of a record; undefined where it is damaged, or of a kind that this program does not know. */
export async function unpackedRecord(
  bytes: Buffer,
): Promise<{ readonly entry: QueueEntry; readonly payload: Uint8Array } | undefined> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const record = isPacked ? await unpack(bytes).catch(() => Buffer.alloc(0)) : bytes;
  const header = decodeHeader(record);
  if (header === undefined) return undefined;
  const body = record.subarray(HEADER);
  const entry = decodeRecord(header, body);
  return entry && { entry, payload: body.subarray(header.description) };
}
