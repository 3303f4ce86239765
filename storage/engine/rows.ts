import type { DuckDBDataChunk } from "@duckdb/node-api";
import type { Vector } from "@duckdb/node-bindings";
import { duckdb } from "./duckdb.ts";

/** Some rows of a result, one text each, as the UTF-8 of the engine. Valid until the next rows are read. */
export interface Rows {
  readonly count: number;
  /** The text goes on in the next rows; there is one row then. Absent: no. */
  readonly isContinued?: boolean;
  /** Bytes of a row's text. */
  length(row: number): number;
  /** Writes the text of a row into memory. */
  copy(row: number, target: Buffer, at: number): void;
  /** The text of a row as bytes that remain valid. Several rows may share a buffer; nothing else uses it. */
  bytes(row: number): Buffer;
  texts(): string[];
  /** Frees the rows; only bytes from {@link bytes} remain. */
  end(): void;
}

/** A chunk's rows: its first column, which must be a BLOB. */
export function rowsOfChunk(chunk: DuckDBDataChunk): Rows {
  return new VectorRows(chunk, 0);
}

/** Rows that are texts already. */
export function rowsOfTexts(texts: string[]): Rows {
  return new TextRows(texts);
}

/** A chunk's rows, one text per column; all columns must be BLOBs. The text of NULL is empty. */
export function columnsOfChunk(chunk: DuckDBDataChunk): Rows[] {
  return Array.from({ length: chunk.columnCount }, (_, column) => new VectorRows(chunk, column));
}

class TextRows implements Rows {
  readonly count: number;
  readonly #texts: string[];

  constructor(texts: string[]) {
    this.#texts = texts;
    this.count = texts.length;
  }

  length(row: number): number {
    return Buffer.byteLength(this.#texts[row] ?? "");
  }

  copy(row: number, target: Buffer, at: number): void {
    target.write(this.#texts[row] ?? "", at);
  }

  bytes(row: number): Buffer {
    const text = this.#texts[row] ?? "";
    const own = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    own.write(text);
    return own;
  }

  texts(): string[] {
    return this.#texts;
  }

  end(): void {
    // The garbage collector frees the texts.
  }
}

/**
 * How a vector refers to a text, in words of 32 bits: its length, its first four bytes and a pointer to all bytes. A
 * text of up to twelve bytes replaces the last three words.
 */
const ENTRY = { words: 4, bytes: 16, length: 0, inline: 4, inlineUpTo: 12, pointer: 8, low: 2, high: 3 } as const;
const WORD = 2 ** 32;

const nothing: Buffer = Buffer.alloc(0);

/**
 * The texts of a column, most of which are contiguous in the engine's memory. They are copied in pieces: an allocation
 * for each row costs more than its copy, and causes more garbage collection than the rest of a result.
 */
class VectorRows implements Rows {
  readonly count: number;
  readonly #entries: Buffer;
  readonly #words: Uint32Array;
  /**
   * The rows from `first` up to and excluding `next` are in the piece; each begins at its start and ends at the next
   * one's.
   */
  #piece = nothing;
  #first = 0;
  #next = 0;
  #isShared = true;
  readonly #starts: Uint32Array;

  constructor(chunk: DuckDBDataChunk, column: number) {
    const { data_chunk_get_vector: vectorOf, vector_get_data: dataOf } = duckdb.bindings();
    this.count = chunk.rowCount;
    const vector = vectorOf(chunk.chunk, column);
    const { buffer, byteOffset, byteLength } = dataOf(vector, this.count * ENTRY.bytes);
    this.#entries = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
    this.#words = withoutNulls(new Uint32Array(buffer, byteOffset, this.count * ENTRY.words), vector, this.count);
    this.#starts = new Uint32Array(this.count + 1);
  }

  length(row: number): number {
    return this.#words[row * ENTRY.words + ENTRY.length] as number;
  }

  copy(row: number, target: Buffer, at: number): void {
    this.#loadPiece(row);
    this.#piece.copy(target, at, this.#starts[row], this.#starts[row + 1]);
  }

  bytes(row: number): Buffer {
    this.#loadPiece(row);
    this.#isShared = true;
    return this.#piece.subarray(this.#starts[row], this.#starts[row + 1]);
  }

  texts(): string[] {
    return Array.from({ length: this.count }, (_, row) => {
      this.#loadPiece(row);
      return this.#piece.toString("utf8", this.#starts[row], this.#starts[row + 1]);
    });
  }

  end(): void {
    // The garbage collector would free it late, because it does not count this memory.
    if (!this.#isShared) (this.#piece.buffer as ArrayBuffer).transfer(0);
    this.#piece = nothing;
    this.#next = 0;
    this.#isShared = true;
  }

  /** Copies a row and those that are contiguous with it, unless the piece contains it already. */
  #loadPiece(row: number): void {
    if (row >= this.#first && row < this.#next) return;
    this.end();
    this.#isShared = false;
    const starts = this.#starts;
    this.#first = row;
    starts[row] = 0;
    let size = this.length(row);
    let next = row + 1;
    starts[next] = size;
    if (size <= ENTRY.inlineUpTo) {
      this.#piece = this.#inline(row, size);
    } else {
      const pointer = this.#pointer(row);
      for (; next < this.count; next++) {
        const length = this.length(next);
        // Only texts that are contiguous in memory are copied together.
        if (length <= ENTRY.inlineUpTo || size + length > 64 * 1024 || this.#pointer(next) !== pointer + size) break;
        size += length;
        starts[next + 1] = size;
      }
      this.#piece = this.#pointedAt(row, size);
    }
    this.#next = next;
  }

  #inline(row: number, length: number): Buffer {
    const own = Buffer.allocUnsafeSlow(length);
    const start = row * ENTRY.bytes + ENTRY.inline;
    this.#entries.copy(own, 0, start, start + length);
    return own;
  }

  #pointer(row: number): number {
    const entry = row * ENTRY.words;
    return (this.#words[entry + ENTRY.low] as number) + (this.#words[entry + ENTRY.high] as number) * WORD;
  }

  /** A copy of `size` bytes from the start of a row's text. */
  #pointedAt(row: number, size: number): Buffer {
    const { buffer, byteOffset } = this.#entries;
    const { get_data_from_pointer: copyFrom } = duckdb.bindings();
    const copy = copyFrom(buffer as ArrayBuffer, byteOffset + row * ENTRY.bytes + ENTRY.pointer, size);
    return Buffer.from(copy.buffer as ArrayBuffer, copy.byteOffset, copy.length);
  }
}

/** The entries with a length of zero for NULL, where the engine's bytes are undefined. */
function withoutNulls(words: Uint32Array, vector: Vector, count: number): Uint32Array {
  const mask = duckdb.bindings().vector_get_validity(vector, Math.ceil(count / 64) * 8) as Uint8Array | null;
  if (mask === null) return words;
  const known = words.slice();
  for (let row = 0; row < count; row++) {
    if ((((mask[row >> 3] as number) >> (row & 7)) & 1) === 0) known[row * ENTRY.words + ENTRY.length] = 0;
  }
  return known;
}
