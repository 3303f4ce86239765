import { spawnSync } from "node:child_process";
import { crc32 } from "node:zlib";
import { CensusError } from "#storage/errors.ts";

/*
 * A file in the format of xz contains blocks that are compressed independently, and an index of them. Archives and packages
 * of a target contain the same program, which is nearly all of them: its block is made once and put into each file.
 * The format: https://tukaani.org/xz/xz-file-format.txt
 */

/** A piece as compressed blocks. */
interface Blocks {
  readonly bytes: Buffer;
  /** Of each block the size without padding, and the size of its content. */
  readonly records: readonly (readonly [unpadded: number, content: number])[];
}

const HEADER = 12;
const FOOTER = 12;

/** Pieces of this size are kept for the next file. */
const LARGE = 1e6;

const kept = new WeakMap<Uint8Array, Map<number, Blocks>>();

/**
 * Compresses pieces to one file. A large piece that comes again, as the same object, is not compressed again.
 * @throws CensusError "unavailable" if `xz` is not installed
 */
export function xzFile(pieces: readonly Uint8Array[], level: number): Buffer {
  const all = pieces.filter((piece) => piece.length > 0).map((piece) => blocksOf(piece, level));
  const index = indexOf(all.flatMap(({ records }) => records));
  const flags = Buffer.from([0, CRC64]);
  const footer = Buffer.alloc(FOOTER);
  footer.writeUInt32LE(index.length / 4 - 1, 4);
  flags.copy(footer, 8);
  footer.writeUInt32LE(crc32(footer.subarray(4, 10)), 0);
  footer.write("YZ", 10, "latin1");
  const header = Buffer.concat([Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), flags, sumOf(flags)]);
  return Buffer.concat([header, ...all.map(({ bytes }) => bytes), index, footer]);
}

/** The kind of checksum that blocks end with. */
const CRC64 = 4;

function blocksOf(piece: Uint8Array, level: number): Blocks {
  if (piece.length < LARGE) return compressed(piece, level);
  const byLevel = kept.get(piece) ?? new Map<number, Blocks>();
  kept.set(piece, byLevel);
  const blocks = byLevel.get(level) ?? compressed(piece, level);
  byLevel.set(level, blocks);
  return blocks;
}

function compressed(piece: Uint8Array, level: number): Blocks {
  const options = { input: piece, maxBuffer: 2 ** 30 };
  const run = spawnSync("xz", [`-${level}`, "--threads=1", "--check=crc64", "--stdout"], options);
  if (run.error !== undefined) throw new CensusError("unavailable", `xz is not here: ${run.error.message}`);
  if (run.status !== 0) throw new CensusError("bad-file", `xz: ${run.stderr.toString().trim()}`);
  const file = run.stdout;
  const end = file.length - FOOTER;
  const indexStart = end - (file.readUInt32LE(end + 4) + 1) * 4;
  return { bytes: file.subarray(HEADER, indexStart), records: recordsOf(file.subarray(indexStart, end)) };
}

function recordsOf(index: Buffer): (readonly [number, number])[] {
  let at = 1;
  const next = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = index[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  };
  return Array.from({ length: next() }, () => [next(), next()] as const);
}

function indexOf(records: Blocks["records"]): Buffer {
  const bytes = [0, ...varint(records.length), ...records.flat().flatMap(varint)];
  while (bytes.length % 4 !== 0) bytes.push(0);
  const index = Buffer.from(bytes);
  return Buffer.concat([index, sumOf(index)]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 128) | 0x80, ...varint(Math.floor(value / 128))];
}

function sumOf(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(bytes));
  return sum;
}
