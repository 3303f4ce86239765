import type { Lines } from "./lines.ts";

/** Begins and ends a gap. JSON does not contain this character: in its strings it is escaped. */
const EDGE = 0x01;
const BLANK = 0x20;
const COMMA = 0x2c;
const ZERO = 0x30;

/**
 * SQL of a gap in a document, for lines of a dictionary.
 * @param ids SQL of their ids with commas between them
 */
export function gapSql(dictionary: string, ids: string): string {
  return `concat(chr(${EDGE}), '${dictionary} ', ${ids}, chr(${EDGE}))`;
}

/** Ids of the lines of a dictionary between two texts. */
export interface Gap {
  readonly dictionary: string;
  readonly ids: readonly number[];
}

/** A text somewhere in memory. */
export interface Text {
  /** Bytes. */
  readonly length: number;
  copy(target: Buffer, at: number): unknown;
}

/** The lines for a gap. */
export interface Filling {
  readonly lines: Lines;
  readonly slots: Int32Array;
}

/** A document as parts that are not joined yet. */
export type Parts = readonly (Text | Filling)[];

/**
 * Splits a document at its gaps.
 * @param fillingOf returns the lines for a gap
 */
export function partsOf(document: Buffer, fillingOf: (gap: Gap) => Filling): Parts {
  const parts: (Buffer | Filling)[] = [];
  let done = 0;
  for (let edge = document.indexOf(EDGE); edge !== -1; edge = document.indexOf(EDGE, done)) {
    const end = document.indexOf(EDGE, edge + 1);
    parts.push(document.subarray(done, edge), fillingOf(gapOf(document.subarray(edge + 1, end))));
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

/**
 * Joins the parts of documents, one at a time, in memory that is reused: allocating memory costs more than filling it.
 */
export class DocumentBuffer {
  #memory = Buffer.alloc(0);

  /**
   * The document that the parts form.
   * @returns bytes that are valid until the next document
   */
  fill(parts: Parts): Buffer {
    const [first] = parts;
    if (parts.length === 1 && Buffer.isBuffer(first)) return first;
    const lengths = parts.map(lengthOf);
    const size = lengths.reduce((sum, length) => sum + length, 0);
    if (size > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(size + (size >> 1));
    let at = 0;
    for (const [index, part] of parts.entries()) {
      if ("lines" in part) part.lines.copy(part.slots, this.#memory, at);
      else part.copy(this.#memory, at);
      at += lengths[index] as number;
    }
    return this.#memory.subarray(0, size);
  }
}

function lengthOf(part: Text | Filling): number {
  return "lines" in part ? part.lines.lengthOf(part.slots) : part.length;
}
