import { crc32 } from "node:zlib";
import { isCommandName } from "../wire/commands.ts";
import type { Fault, NewEntry, QueueEntry } from "./entry.ts";

/*
 * A command as bytes: a header of four 32-bit numbers (mark, length of the description, length of the payload, checksum
 * of both), the description as JSON, the payload as it arrived.
 */

export const HEADER = 16;
/** The beginning of a record; the checksum distinguishes it from equal bytes in a payload. */
export const MARK = Buffer.from("CQR1");

/** Written after the last record of a segment that is overwritten, because older records follow there. */
export const END: Buffer = Buffer.alloc(HEADER);

/** A record's lengths (bytes) and checksum. */
export interface Header {
  readonly description: number;
  readonly payload: number;
  readonly checksum: number;
}

/**
 * The buffers that make up a record.
 * @param before the id of the command that was written before it, where that is not `id - 1`
 */
export function encodeRecord(id: number, entry: NewEntry, payload: Uint8Array, before = id - 1): Uint8Array[] {
  const gap = before === id - 1 ? {} : { before };
  const description = Buffer.from(JSON.stringify({ ...plain(entry), id, ...gap }));
  const header = Buffer.alloc(HEADER);
  MARK.copy(header);
  header.writeUInt32LE(description.length, 4);
  header.writeUInt32LE(payload.length, 8);
  header.writeUInt32LE(crc32(payload, crc32(description)), 12);
  return [header, description, payload];
}

/** Undefined for bytes that are not a header. */
export function decodeHeader(bytes: Buffer): Header | undefined {
  if (bytes.length < HEADER || !bytes.subarray(0, MARK.length).equals(MARK)) return undefined;
  return { description: bytes.readUInt32LE(4), payload: bytes.readUInt32LE(8), checksum: bytes.readUInt32LE(12) };
}

/** The id of the command that was written before this valid record. */
export function precedingId(header: Header, body: Buffer): number {
  const { id = 0, before } = parseDescription(body.toString("utf8", 0, header.description)) ?? {};
  return before ?? id - 1;
}

/** The entry of a record; undefined when its bytes are damaged. */
export function decodeRecord(header: Header, body: Buffer): QueueEntry | undefined {
  if (body.length !== header.description + header.payload || crc32(body) !== header.checksum) return undefined;
  const description = parseDescription(body.toString("utf8", 0, header.description));
  if (description === undefined || !isCommandName(description.command)) return undefined;
  const {
    id,
    command,
    version,
    certname,
    received,
    producerTimestamp,
    encoding,
    checksum,
    unpackedSize,
    faults = [],
  } = description;
  return {
    id,
    command,
    version,
    certname,
    received: BigInt(received),
    size: header.payload,
    faults: faults.map(({ at, message }): Fault => ({ at: BigInt(at), message })),
    ...(producerTimestamp === undefined ? {} : { producerTimestamp: BigInt(producerTimestamp) }),
    ...(encoding === "gzip" ? { encoding } : {}),
    ...(checksum === undefined ? {} : { checksum }),
    ...(unpackedSize === undefined ? {} : { unpackedSize }),
  };
}

/** A mark followed by zeros has a valid checksum, and may occur in a payload. */
function parseDescription(text: string): Description | undefined {
  try {
    return JSON.parse(text) as Description;
  } catch {
    return undefined;
  }
}

/** Times are microseconds as texts, since JSON has no such numbers. */
interface Description {
  readonly id: number;
  readonly before?: number;
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly received: string;
  readonly producerTimestamp?: string;
  readonly encoding?: string;
  readonly checksum?: string;
  readonly unpackedSize?: number;
  readonly faults?: readonly { readonly at: string; readonly message: string }[];
}

function plain({ received, producerTimestamp, faults, ...others }: NewEntry): object {
  return {
    ...others,
    received: String(received),
    ...(producerTimestamp === undefined ? {} : { producerTimestamp: String(producerTimestamp) }),
    ...(faults.length === 0 ? {} : { faults: faults.map(({ at, message }) => ({ at: String(at), message })) }),
  };
}
