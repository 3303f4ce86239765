import type { Rows } from "#storage/engine/rows.ts";

/** Bytes that are gathered before they are written to the socket. */
export const PIECE = 64 * 1024;

/** Maximum pieces of memory that are cached for reuse. */
const MAX_FREE = 16;

const free: ArrayBuffer[] = [];

/** Memory of pieces in use. Size alone does not identify a piece: Node's pool for short texts has the same. */
const taken = new WeakSet<ArrayBufferLike>();

/**
 * Memory for a piece.
 * @param least bytes that it has at least
 */
export function newPiece(least = PIECE): Buffer {
  const memory = least > PIECE ? new ArrayBuffer(least) : (free.pop() ?? new ArrayBuffer(PIECE));
  taken.add(memory);
  return Buffer.from(memory);
}

/**
 * Reuses the memory of a {@link newPiece} for other responses, or frees that of a long one; the piece must
 * not be read any more. Without that each response would leave its whole length to the garbage collector, which slows
 * down dozens of them at a time, and frees megabytes too late.
 */
export function recycle({ buffer }: Buffer): void {
  if (!taken.delete(buffer)) return;
  const memory = buffer as ArrayBuffer;
  if (memory.byteLength > PIECE) memory.transfer(0);
  else if (free.length < MAX_FREE) free.push(memory);
}

const COMMA = ",".charCodeAt(0);

/** Joins rows that are JSON texts to an array, in pieces that belong to the reader. */
export async function* compactArray(batches: AsyncIterable<Rows>): AsyncGenerator<Buffer, void> {
  let piece = newPiece();
  let size = piece.write("[");
  // Whether a row is complete, so that a comma comes before what follows.
  let isBetween = false;
  for await (const rows of batches) {
    for (let row = 0; row < rows.count; row++) {
      const length = rows.length(row);
      // Space for the separator before the row and the bracket after the last.
      if (size + length + 2 > piece.length) {
        yield piece.subarray(0, size);
        piece = newPiece(length + 2);
        size = 0;
      }
      if (isBetween) piece[size++] = COMMA;
      isBetween = rows.isContinued !== true;
      rows.copy(row, piece, size);
      size += length;
    }
  }
  size += piece.write("]", size);
  yield piece.subarray(0, size);
}
