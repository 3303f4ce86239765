import type { Rows } from "#storage/engine/rows.ts";
import { parseJson } from "#storage/json.ts";
import { pretty } from "./pretty.ts";

/** How many bytes are gathered before they are handed to the socket. */
export const PIECE = 64 * 1024;

/** So many pieces of memory are kept at most. */
const KEPT = 16;

const free: ArrayBuffer[] = [];

/** What has been taken and not given back. Other memory may be as large: that of which Node makes short texts is. */
const taken = new WeakSet<ArrayBufferLike>();

function take(): Buffer {
  const memory = free.pop() ?? new ArrayBuffer(PIECE);
  taken.add(memory);
  return Buffer.from(memory);
}

/**
 * Gives memory back that {@link compactArray} has filled, for other answers: it is not looked into any more. Without that
 * each answer would leave its whole length to the collector, which marks through everything when there are some dozens.
 */
export function giveBack({ buffer }: Buffer): void {
  if (taken.delete(buffer) && free.length < KEPT) free.push(buffer as ArrayBuffer);
}

const COMMA = ",".charCodeAt(0);

/** Rows that are JSON texts as an array of them, in pieces that are the reader's. */
export async function* compactArray(answer: AsyncIterable<Rows>): AsyncGenerator<Buffer, void> {
  let piece = take();
  let size = piece.write("[");
  let isFirst = true;
  for await (const rows of answer) {
    for (let row = 0; row < rows.count; row++) {
      const length = rows.length(row);
      // Room for the separator before the row and the bracket after the last.
      if (size + length + 2 > piece.length) {
        yield piece.subarray(0, size);
        piece = length + 2 > PIECE ? Buffer.allocUnsafeSlow(length + 2) : take();
        size = 0;
      }
      if (!isFirst) piece[size++] = COMMA;
      isFirst = false;
      rows.copy(row, piece, size);
      size += length;
    }
  }
  size += piece.write("]", size);
  yield piece.subarray(0, size);
}

/** `[ {\n  "name" : "production"\n}, {` — the layout that `pretty=true` has in the peer. */
export async function* prettyArray(answer: AsyncIterable<Rows>): AsyncGenerator<Buffer, void> {
  let separator = "[ ";
  for await (const rows of answer) {
    for (const row of rows.texts()) {
      yield Buffer.from(separator + pretty(parseJson(row)));
      separator = ", ";
    }
  }
  yield Buffer.from(separator === "[ " ? "[ ]" : " ]");
}
