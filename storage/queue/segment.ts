import { type FileHandle, open } from "node:fs/promises";
import { type Numbering, numberingOf } from "./bundle.ts";
import type { QueueEntry } from "./entry.ts";
import { decodeHeader, decodeRecord, END, HEADER, MARK, precedingId } from "./record.ts";

/** A record found in a segment. */
export interface Found {
  readonly entry: QueueEntry;
  /** The place of its payload: bytes from the start of the file. */
  readonly at: number;
  /** The id of the command that was written before it. */
  readonly before: number;
}

/** Whether a file in the folder of commands is a segment: of single commands, or a bundle. */
export function isSegment(name: string): boolean {
  return /^\d{16}\.log$/.test(name) || numberingOf(name) !== undefined;
}

/** Bytes of a segment that are not a record. */
export interface Damage {
  readonly from: number;
  readonly to: number;
}

export interface Scan {
  readonly found: readonly Found[];
  /** Bytes before valid records that are not a record. */
  readonly damage: readonly Damage[];
  /** Bytes up to which the segment is valid; the rest was being written when the process ended, or is older. */
  readonly end: number;
  /** The rest, where it is neither the end mark nor older: a command that was being written, or a damaged one. */
  readonly tail: Damage | undefined;
}

/**
 * Reads the commands of a segment that are not processed yet, from its start. Bytes that are not a valid record are
 * damage if such a command follows anywhere after them; otherwise they are an interrupted write, which was never
 * acknowledged. Segments are overwritten: after the last record there are records, or ends of records, of commands that
 * were processed long ago.
 * @param through commands up to this id are processed
 */
export async function scanSegment(path: string, through: number): Promise<Scan> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const numbering = numberingOf(path);
    const found: Found[] = [];
    const damage: Damage[] = [];
    let end = 0;
    let strange: Damage[] = [];
    for (let at = 0; at < size;) {
      const record = await readRecord(file, at, size);
      if (record === undefined) {
        const next = await nextRecord(file, at + 1, size);
        if (next === undefined) break;
        strange.push({ from: at, to: next });
        at = next;
        continue;
      }
      at = record.end;
      const renumbered = numbering === undefined ? record.found : renumber(record.found, numbering);
      if (renumbered.entry.id <= through) continue;
      found.push(renumbered);
      damage.push(...strange);
      strange = [];
      end = at;
    }
    return { found, damage, end, tail: await tailOf(file, end, size) };
  } finally {
    await file.close();
  }
}

/** Commands of a bundle are numbered from 1 in the file. */
function renumber({ entry, at }: Found, { first, before }: Numbering): Found {
  const id = first - 1 + entry.id;
  return { entry: { ...entry, id }, at, before: id === first ? before : id - 1 };
}

async function tailOf(file: FileHandle, end: number, size: number): Promise<Damage | undefined> {
  const head = await readBytes(file, end, END.length);
  if (head.equals(END.subarray(0, head.length)) || (await readRecord(file, end, size)) !== undefined) return undefined;
  return { from: end, to: (await nextRecord(file, end + 1, size)) ?? size };
}

async function readRecord(
  file: FileHandle,
  at: number,
  size: number,
): Promise<{ found: Found; end: number } | undefined> {
  const header = decodeHeader(await readBytes(file, at, HEADER));
  if (header === undefined) return undefined;
  const end = at + HEADER + header.description + header.payload;
  if (end > size) return undefined;
  const body = await readBytes(file, at + HEADER, header.description + header.payload);
  const entry = decodeRecord(header, body);
  if (entry === undefined) return undefined;
  return { found: { entry, at: end - header.payload, before: precedingId(header, body) }, end };
}

/** Bytes that are searched at a time. */
const PIECE_BYTES = 1024 * 1024;

/** The start of the next valid record. */
async function nextRecord(file: FileHandle, from: number, size: number): Promise<number | undefined> {
  for (let start = from; start < size; start += PIECE_BYTES - MARK.length) {
    const piece = await readBytes(file, start, Math.min(PIECE_BYTES, size - start));
    for (let hit = piece.indexOf(MARK); hit >= 0; hit = piece.indexOf(MARK, hit + 1)) {
      if ((await readRecord(file, start + hit, size)) !== undefined) return start + hit;
    }
  }
  return undefined;
}

/** Up to `length` bytes; fewer at the end of the file. */
export async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, at + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}
