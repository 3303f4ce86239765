/** Bytes of a block, of which a tar is made. */
export const BLOCK = 512;

const MODE = 0o644;

/** What a header holds besides name, size, time and kind: where each field begins, and its text. */
const FIXED: readonly (readonly [at: number, text: string])[] = [
  [100, `${octal(MODE, 6)} \0`],
  [108, `${octal(0, 6)} \0`],
  [116, `${octal(0, 6)} \0`],
  [257, "ustar\x0000"],
  [329, `${octal(0, 6)} \0`],
  [337, `${octal(0, 6)} \0`],
];

const NAME_BYTES = 100;
const SIZE_AT = 124;
const TIME_AT = 136;
const CHECKSUM_AT = 148;
const KIND_AT = 156;

/** A plain file; what is said of the next one beyond what its header holds. */
const kinds = { file: "0", pax: "x" } as const;

/**
 * The blocks before a file's bytes, as POSIX has them: names that a header cannot hold stand in a record of their own
 * (PAX). Mode 0644, owner 0 without a name (reference/archive.md §1).
 * @param size bytes of the file
 * @param seconds since 1970, as many as 11 octal digits hold
 */
export function tarHeader(name: string, size: number, seconds: number): Buffer {
  const bytes = Buffer.from(name);
  if (bytes.length <= NAME_BYTES && bytes.length === name.length) return block(bytes, size, seconds, kinds.file);
  const record = paxRecord("path", name);
  return Buffer.concat([
    block(Buffer.from("PaxHeader"), record.length, seconds, kinds.pax),
    record,
    Buffer.alloc(paddingOf(record.length)),
    block(bytes.subarray(0, NAME_BYTES), size, seconds, kinds.file),
  ]);
}

/** Bytes from the end of a file to that of its last block. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function block(name: Buffer, size: number, seconds: number, kind: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  name.copy(header);
  for (const [at, text] of FIXED) header.write(text, at, "latin1");
  header.write(`${octal(size, 11)} `, SIZE_AT, "latin1");
  header.write(`${octal(seconds, 11)} `, TIME_AT, "latin1");
  header.write(kind, KIND_AT, "latin1");
  header.fill(" ", CHECKSUM_AT, KIND_AT);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, CHECKSUM_AT, "latin1");
  return header;
}

/** `<length> <key>=<value>⏎`, where the length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes;
  while (String(length).length + bytes !== length) length = String(length).length + bytes;
  return Buffer.from(`${length}${rest}`);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
