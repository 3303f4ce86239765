import type { DuckDBBlobVector, DuckDBDataChunk } from "@duckdb/node-api";
import { type RowLayout, textsOf } from "./row-layout.ts";

/** Some rows of an answer, one text each, kept as the UTF-8 the engine wrote. Valid until the next rows are asked for. */
export interface Rows {
  readonly count: number;
  /** The text of a row, to be copied at once. */
  bytes(row: number): Uint8Array;
  /** The text of a row as bytes that stay as they are, in memory of its own. */
  keep(row: number): Buffer;
  texts(): string[];
}

const decoder = new TextDecoder();
const nothing = new Uint8Array();

/** Up to this length the bytes that the binding gives are the chunk's own; of longer ones it makes a copy. */
const INLINE = 12;

/** A chunk's rows: its first column, which must be a BLOB, or what a layout makes of all columns. */
export function rowsOfChunk(chunk: DuckDBDataChunk, layout?: RowLayout): Rows {
  return layout === undefined ? writtenRows(chunk) : laidOutRows(textsOf(chunk, layout));
}

function laidOutRows(texts: string[]): Rows {
  const keep = (row: number): Buffer => Buffer.from(texts[row] ?? "");
  return { count: texts.length, bytes: keep, keep, texts: () => texts };
}

function writtenRows(chunk: DuckDBDataChunk): Rows {
  const vector = chunk.getColumnVector(0) as DuckDBBlobVector;
  const count = chunk.rowCount;
  const bytes = (row: number): Uint8Array => vector.getItemBytes(row) ?? nothing;
  const keep = (row: number): Buffer => {
    const given = bytes(row);
    const own = given.length > INLINE ? given : given.slice();
    return Buffer.from(own.buffer, own.byteOffset, own.length);
  };
  return { count, bytes, keep, texts: () => Array.from({ length: count }, (_, row) => decoder.decode(bytes(row))) };
}
