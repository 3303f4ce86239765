import { RepeatedRow } from "../threads/interned-rows.ts";

/** What is made of a part of a document. */
export interface Part {
  /** The rows that it becomes; the same ones each time that it comes. */
  readonly rows: readonly object[];
}

/** A kind of parts. */
export interface Kind<T extends Part> {
  /** What a list or an object of them begins with. */
  readonly bracket: "[" | "{";
  /** Makes something of a part's text, the same whenever it is given the same. */
  readonly read: (text: string) => T;
  /** What is kept of it. `shared` gives the one text of that wording that all parts share. */
  readonly kept: (part: T, shared: (text: string) => string) => Omit<T, "rows">;
}

/** A part that is kept, and the bytes that it is made of. */
interface Kept<T> {
  readonly text: DataView;
  readonly part: T;
}

/** Longer parts, in bytes, are read each time. */
const LONGEST = 4096;

/** Places for fingerprints of parts that came once, to tell which come again. A power of two. */
const SEEN_ONCE = 16384;

/** Bytes of all parts together, as far as they are counted: their own and {@link ROW} for each row that they become. */
const CAPACITY = 16 * 1024 * 1024;

/** Bytes that a row takes where it is kept, more or less: a fact of 4 kB may become a thousand. */
const ROW = 200;

/**
 * What a thread has made of parts of documents that many nodes have in common: an edge of a catalog, a fact. A part is told
 * by its text, and kept when it comes for the second time.
 */
export class KnownParts {
  readonly #kept = new Map<object, Map<number, Kept<Part>>>();
  readonly #texts = new Map<string, string>();
  readonly #once = new Int32Array(SEEN_ONCE);
  #bytes = 0;

  /** Whether new ones are kept no more. */
  get isFull(): boolean {
    return this.#bytes >= CAPACITY;
  }

  clear(): void {
    this.#kept.clear();
    this.#texts.clear();
    this.#once.fill(0);
    this.#bytes = 0;
  }

  /**
   * The parts that stand in a document.
   * @param bounds where each begins and ends, by turns, in bytes
   */
  read<T extends Part>(kind: Kind<T>, json: Buffer, bounds: readonly number[]): T[] {
    const kept = (this.#kept.get(kind) ?? new Map<number, Kept<Part>>()) as Map<number, Kept<T>>;
    this.#kept.set(kind, kept);
    const document = new DataView(json.buffer, json.byteOffset, json.length);
    const parts: T[] = [];
    for (let index = 0; index < bounds.length; index += 2) {
      const [from, to] = [bounds[index] ?? 0, bounds[index + 1] ?? 0];
      const print = fingerprint(document, from, to);
      const known = kept.get(print);
      if (known !== undefined && isAt(document, from, to, known.text)) {
        parts.push(known.part);
        continue;
      }
      let part = kind.read(json.toString("utf8", from, to));
      if (known === undefined && to - from <= LONGEST && this.#comesAgain(print)) {
        const rows = part.rows.map((cells) => new RepeatedRow(cells));
        part = { ...kind.kept(part, this.#shared), rows } as unknown as T;
        kept.set(print, { text: new DataView(Uint8Array.from(json.subarray(from, to)).buffer), part });
        this.#bytes += to - from + rows.length * ROW;
      }
      parts.push(part);
    }
    return parts;
  }

  readonly #shared = (text: string): string => {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  };

  #comesAgain(print: number): boolean {
    if (this.isFull) return false;
    const place = print & (SEEN_ONCE - 1);
    if (this.#once[place] === print) return true;
    this.#once[place] = print;
    return false;
  }
}

/** Thirty bits of a text; texts that have the same are compared. Made four bytes at a time, it takes less than V8's own of a string. */
function fingerprint(document: DataView, from: number, to: number): number {
  let print = to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) print = Math.imul(print ^ document.getInt32(at, true), 0x9e3779b1);
  for (; at < to; at++) print = Math.imul(print ^ document.getUint8(at), 0x9e3779b1);
  return (print ^ (print >>> 15)) >>> 2;
}

function isAt(document: DataView, from: number, to: number, text: DataView): boolean {
  const length = to - from;
  if (text.byteLength !== length) return false;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    if (document.getInt32(from + at, true) !== text.getInt32(at, true)) return false;
  }
  for (; at < length; at++) if (document.getUint8(from + at) !== text.getUint8(at)) return false;
  return true;
}
