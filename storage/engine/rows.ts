import type { DuckDBBlobVector, DuckDBDataChunk } from "@duckdb/node-api";

/** Some rows of an answer, one text each, kept as the UTF-8 the engine wrote. Valid until the next rows are asked for. */
export interface Rows {
  readonly count: number;
  /** The text of a row, to be copied at once. */
  bytes(row: number): Uint8Array;
  texts(): string[];
}

const decoder = new TextDecoder();
const nothing = new Uint8Array();

/** The first column of a chunk, which must be a BLOB. */
export function rowsOfChunk(chunk: DuckDBDataChunk): Rows {
  const vector = chunk.getColumnVector(0) as DuckDBBlobVector;
  const count = chunk.rowCount;
  const bytes = (row: number): Uint8Array => vector.getItemBytes(row) ?? nothing;
  return { count, bytes, texts: () => Array.from({ length: count }, (_, row) => decoder.decode(bytes(row))) };
}
