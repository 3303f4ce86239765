import { BETWEEN_LINES } from "./json-sql.ts";

/** Lines by the name of their dictionary and their id. */
export type Lines = ReadonlyMap<string, ReadonlyMap<number, Buffer>>;

/** Begins and ends a gap. JSON has no such character: in its strings it is escaped. */
const EDGE = 0x01;
const BLANK = 0x20;
const COMMA = 0x2c;
const ZERO = 0x30;

const between = Buffer.from(BETWEEN_LINES);

/**
 * SQL of a gap in a document, in which lines of a dictionary belong.
 * @param ids SQL of their ids with commas between them
 */
export function gapSql(dictionary: string, ids: string): string {
  return `concat(chr(${EDGE}), '${dictionary} ', ${ids}, chr(${EDGE}))`;
}

/** Ids of the lines of a dictionary that belong between two texts. */
export interface Gap {
  readonly dictionary: string;
  readonly ids: readonly number[];
}

/** A document that is not put together yet. */
export type Parts = readonly (Buffer | Gap)[];

/** Takes a document with gaps apart. */
export function partsOf(document: Buffer): Parts {
  const parts: (Buffer | Gap)[] = [];
  let done = 0;
  for (let edge = document.indexOf(EDGE); edge !== -1; edge = document.indexOf(EDGE, done)) {
    const end = document.indexOf(EDGE, edge + 1);
    parts.push(document.subarray(done, edge), gapOf(document.subarray(edge + 1, end)));
    done = end + 1;
  }
  parts.push(document.subarray(done));
  return parts;
}

function gapOf(text: Buffer): Gap {
  const blank = text.indexOf(BLANK);
  return { dictionary: text.toString("latin1", 0, blank), ids: numbersIn(text.subarray(blank + 1)) };
}

function numbersIn(text: Buffer): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of text) {
    if (byte === COMMA) {
      numbers.push(number);
      number = 0;
    } else number = number * 10 + byte - ZERO;
  }
  numbers.push(number);
  return numbers;
}

/** Puts documents together, one at a time, in memory that is used again: fresh memory costs more than filling it. */
export class Sheet {
  #memory = Buffer.alloc(0);

  /**
   * The document that its parts make with the lines that belong into its gaps.
   * @returns bytes that are valid until the next document is put together
   */
  fill(parts: Parts, lines: Lines): Buffer {
    const [first] = parts;
    if (parts.length === 1 && Buffer.isBuffer(first)) return first;
    const pieces: Buffer[] = [];
    for (const part of parts) {
      if (Buffer.isBuffer(part)) pieces.push(part);
      else putLines(pieces, part, lines);
    }
    let size = 0;
    for (const { length } of pieces) size += length;
    if (size > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(size + (size >> 1));
    let at = 0;
    for (const piece of pieces) {
      this.#memory.set(piece, at);
      at += piece.length;
    }
    return this.#memory.subarray(0, size);
  }
}

function putLines(pieces: Buffer[], { dictionary, ids }: Gap, lines: Lines): void {
  const known = lines.get(dictionary);
  for (const [index, id] of ids.entries()) {
    const line = known?.get(id);
    if (line === undefined) throw new Error(`${dictionary} has no row ${id}`);
    if (index > 0) pieces.push(between);
    pieces.push(line);
  }
}
