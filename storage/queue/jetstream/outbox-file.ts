import { crc32 } from "node:zlib";

/*
 * An entry in the outbox as bytes: a header of four 32-bit numbers (mark of the format, length of the description, length of
 * the record, checksum of both), the description as JSON, the record.
 */

const HEADER = 16;
const MAGIC = Buffer.from("COB1");

/** What is known of an entry before it is in the log. */
export interface Described {
  readonly mark: string;
  readonly kind: string;
  /** The sequence of a message that was in the log before it was published. */
  readonly after: number;
}

/** An entry found in a file of the outbox. */
export interface FoundRow extends Described {
  /** The place of its record: bytes from the start of the file. */
  readonly at: number;
  readonly size: number;
}

/** The buffers that make up an entry; the record is the last one. */
export function encodeRow({ mark, kind, after }: Described, record: Buffer): readonly [Buffer, Buffer, Buffer] {
  const description = Buffer.from(JSON.stringify({ mark, kind, after }));
  const header = Buffer.alloc(HEADER);
  MAGIC.copy(header);
  header.writeUInt32LE(description.length, 4);
  header.writeUInt32LE(record.length, 8);
  header.writeUInt32LE(crc32(record, crc32(description)), 12);
  return [header, description, record];
}

/** The entries of a file. Bytes that are none are passed over: one that was being written when the process ended, or damage. */
export function decodeRows(bytes: Buffer): FoundRow[] {
  const found: FoundRow[] = [];
  for (let at = 0; at >= 0 && at < bytes.length;) {
    const row = decodeRow(bytes, at);
    if (row === undefined) at = bytes.indexOf(MAGIC, at + 1);
    else {
      found.push(row);
      at = row.at + row.size;
    }
  }
  return found;
}

function decodeRow(bytes: Buffer, at: number): FoundRow | undefined {
  const header = bytes.subarray(at, at + HEADER);
  if (header.length < HEADER || !header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const [description, size] = [header.readUInt32LE(4), header.readUInt32LE(8)];
  const body = bytes.subarray(at + HEADER, at + HEADER + description + size);
  if (body.length < description + size || crc32(body) !== header.readUInt32LE(12)) return undefined;
  const described = JSON.parse(body.toString("utf8", 0, description)) as Described;
  return { ...described, at: at + HEADER + description, size };
}

/** A line that notes what became of an entry. @param sequences of its messages in the log; undefined: it is not to be added */
export function encodeNote(mark: string, sequences: readonly number[] | undefined): string {
  return `${mark} ${sequences?.join(",") ?? "-"}\n`;
}

/** The last note of each entry; a line that was being written when the process ended is passed over. */
export function decodeNotes(text: string): Map<string, readonly number[] | undefined> {
  const notes = new Map<string, readonly number[] | undefined>();
  for (const [, mark = "", sequences = "-"] of text.matchAll(/^(\S+) (-|[\d,]+)\n/gm)) {
    notes.set(mark, sequences === "-" ? undefined : sequences.split(",").map(Number));
  }
  return notes;
}
