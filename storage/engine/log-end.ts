import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";

/*
 * The engine's log: a header, then entries of 8 bytes of length, 8 bytes of checksum and as many bytes as the length says.
 * The engine applies the entries of a transaction when it finds the one that ends it, and leaves out what follows the last
 * of those without a word.
 */

/** Fields of the header and of entries: a number of two bytes each, the type first; the last one marks the end. */
const [TYPE, VERSION, DATABASE, ITERATION, END] = [100, 101, 102, 103, 0xff_ff];

/** Bytes before an entry's content, and bytes of its type. */
const [BEFORE, TYPED] = [16, 3];

/** Types of entries that end a transaction or a checkpoint. */
const ENDS: readonly number[] = [99, 100];

/** How a log of the engine ends. */
export interface LogEnd {
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes up to the end of the last complete transaction. */
  readonly complete: number;
}

/** What there is in the place of a log. */
export type LogState = "missing" | "empty" | "unrecognized" | "log";

/** `unrecognized`: the first bytes are not those of a log, and the engine ignores the file. */
export function logStateOf(path: string): LogState {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "missing";
  if (found.size === 0) return "empty";
  try {
    accessSync(path, constants.R_OK);
  } catch {
    // The engine reports that the file is unreadable.
    return "log";
  }
  return logEndOf(path) === undefined ? "unrecognized" : "log";
}

/** @returns undefined where there is no log, or one of another version */
export function logEndOf(path: string): LogEnd | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // The engine reports that the file is unreadable.
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    const read = (at: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, at));
    };
    // A header is shorter.
    const first = headerLength(read(0, 128));
    if (first === undefined) return undefined;
    let complete = first;
    for (let at = first; ;) {
      const head = read(at, BEFORE + TYPED);
      if (head.length < BEFORE + TYPED || head.readUInt16LE(BEFORE) !== TYPE) break;
      at += BEFORE + Number(head.readBigUInt64LE(0));
      if (at > size) break;
      if (ENDS.includes(head[BEFORE + 2] ?? 0)) complete = at;
    }
    return { size, complete };
  } finally {
    closeSync(file);
  }
}

/** Undefined where the bytes are not a header. */
function headerLength(bytes: Buffer): number | undefined {
  let at = 0;
  const number = (): number => {
    // Seven bits in each byte, the lowest first.
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const field = (): number => {
    at += 2;
    return at <= bytes.length ? bytes.readUInt16LE(at - 2) : -1;
  };
  if (field() !== TYPE) return undefined;
  number();
  if (field() !== VERSION) return undefined;
  number();
  if (field() !== DATABASE) return undefined;
  for (let left = number(); left > 0; left--) number();
  if (field() !== ITERATION) return undefined;
  number();
  return field() === END ? at : undefined;
}
