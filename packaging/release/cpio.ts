/** An entry of a cpio archive, as the payload of an RPM package has it. */
export interface CpioEntry {
  readonly path: string;
  /** With the bits of the file's type. */
  readonly mode: number;
  readonly inode: number;
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly content: Uint8Array;
}

const END = "TRAILER!!!";

/** An archive in the format `newc` as pieces; each content is a piece of its own, as the same object. */
export function cpioPieces(entries: readonly CpioEntry[]): Uint8Array[] {
  const end: CpioEntry = { path: END, mode: 0, inode: 0, seconds: 0, content: Buffer.alloc(0) };
  const pieces: Uint8Array[] = [];
  for (const entry of [...entries, end]) {
    pieces.push(head(entry), entry.content, padding(entry.content.length));
  }
  return merged(pieces);
}

function head({ path, mode, inode, seconds, content }: CpioEntry): Buffer {
  const name = path === END ? END : `./${path}`;
  const size = Buffer.byteLength(name) + 1;
  const fields = [inode, mode, 0, 0, 1, seconds, content.length, 0, 0, 0, 0, size, 0];
  const numbers = fields.map((field) => field.toString(16).padStart(8, "0")).join("");
  const bytes = Buffer.from(`070701${numbers}${name}\0`);
  return Buffer.concat([bytes, padding(bytes.length)]);
}

function padding(length: number): Buffer {
  return Buffer.alloc((4 - (length % 4)) % 4);
}

const LARGE = 1e6;

/** Joins small pieces. */
function merged(pieces: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  for (const piece of pieces) {
    if (piece.length <= LARGE) {
      small.push(piece);
      continue;
    }
    joined.push(Buffer.concat(small), piece);
    small = [];
  }
  return [...joined, Buffer.concat(small)];
}
