import { BETWEEN_LINES } from "./json-sql.ts";
import type { Lines } from "./lines.ts";

/** Lines by the name of their dictionary. */
export type LinesOfAll = ReadonlyMap<string, Lines>;

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
  /** Where the lines of the document's gaps are, one gap after the other. */
  readonly #slots: number[] = [];

  /**
   * The document that its parts make with the lines that belong into its gaps.
   * @returns bytes that are valid until the next document is put together
   */
  fill(parts: Parts, lines: LinesOfAll): Buffer {
    const [first] = parts;
    if (parts.length === 1 && Buffer.isBuffer(first)) return first;
    const size = this.#measure(parts, lines);
    if (size > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(size + (size >> 1));
    const memory = this.#memory;
    let [at, next] = [0, 0];
    for (const part of parts) {
      if (Buffer.isBuffer(part)) {
        memory.set(part, at);
        at += part.length;
        continue;
      }
      const known = linesFor(part, lines);
      for (const index of part.ids.keys()) {
        if (index > 0) {
          memory.set(between, at);
          at += between.length;
        }
        const slot = this.#slots[next++] as number;
        known.copy(slot, memory, at);
        at += known.lengthAt(slot);
      }
    }
    return memory.subarray(0, size);
  }

  /** @returns bytes of the document; its lines' slots are noted */
  #measure(parts: Parts, lines: LinesOfAll): number {
    let [size, next] = [0, 0];
    for (const part of parts) {
      if (Buffer.isBuffer(part)) {
        size += part.length;
        continue;
      }
      const known = linesFor(part, lines);
      for (const id of part.ids) {
        const slot = known.slotOf(id);
        if (slot === undefined) throw new Error(`${part.dictionary} has no row ${id}`);
        this.#slots[next++] = slot;
        size += known.lengthAt(slot);
      }
      size += between.length * (part.ids.length - 1);
    }
    return size;
  }
}

function linesFor({ dictionary }: Gap, lines: LinesOfAll): Lines {
  const known = lines.get(dictionary);
  if (known === undefined) throw new Error(`no lines of ${dictionary} have been read`);
  return known;
}
