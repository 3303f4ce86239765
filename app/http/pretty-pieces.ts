import type { Rows } from "#storage/engine/rows.ts";
import { newPiece } from "./pieces.ts";

const [TAB, NEW_LINE, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [9, 10, 13, 32, 34, 44, 58, 92];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [91, 93, 123, 125];

const brackets = { begin: Buffer.from("["), between: Buffer.from(","), end: Buffer.from("]") };

/**
 * Joins rows that are JSON texts to an array, indented as PuppetDB does for `pretty=true`:
 * `[ {\n  "name" : "production"\n}, {`. A document of megabytes is indented as it is read.
 */
export async function* prettyArray(batches: AsyncIterable<Rows>): AsyncGenerator<Buffer, void> {
  const indenter = new Indenter();
  yield* indenter.write(brackets.begin);
  // Whether a row is complete, so that a comma comes before what follows.
  let isBetween = false;
  for await (const rows of batches) {
    for (let row = 0; row < rows.count; row++) {
      if (isBetween) yield* indenter.write(brackets.between);
      isBetween = rows.isContinued !== true;
      yield* indenter.write(rows.bytes(row));
    }
  }
  yield* indenter.write(brackets.end);
  yield indenter.rest;
}

/** The only row of a result, which is a JSON text, indented. */
export async function* prettyDocument(batches: AsyncIterable<Rows>): AsyncGenerator<Buffer, void> {
  const indenter = new Indenter();
  for await (const rows of batches) {
    for (let row = 0; row < rows.count; row++) yield* indenter.write(rows.bytes(row));
  }
  yield indenter.rest;
}

/** Indents a JSON text that it gets part by part, with the layout of `pretty.ts`. */
class Indenter {
  #piece = newPiece();
  #size = 0;
  /** The arrays and objects that are open: whether each is an object. */
  readonly #open: boolean[] = [];
  /** The number of open objects. */
  #depth = 0;
  /** Whether nothing has been written into the last one yet. */
  #isEmpty = false;
  #isText = false;
  #isEscaped = false;

  /** What has not been yielded yet. */
  get rest(): Buffer {
    return this.#piece.subarray(0, this.#size);
  }

  /** Yields the pieces that are full; they belong to the reader. */
  *write(json: Buffer): Generator<Buffer, void> {
    // Where the bytes begin that are copied as they are.
    let from = 0;
    for (let at = 0; at < json.length; at++) {
      const byte = json[at] ?? SPACE;
      if (this.#isText) {
        this.#readText(byte);
        continue;
      }
      const isSpace = byte === SPACE || byte === NEW_LINE || byte === TAB || byte === RETURN;
      const mark = isSpace ? "" : this.#markAt(byte);
      if (mark === undefined && !this.#isEmpty) {
        this.#isText = byte === QUOTE;
        continue;
      }
      yield* this.#copy(json.subarray(from, at));
      if (mark === undefined) yield* this.#copy(Buffer.from(this.#beginning()));
      else if (mark !== "") yield* this.#copy(Buffer.from(mark));
      this.#isText = byte === QUOTE;
      from = mark === undefined ? at : at + 1;
    }
    yield* this.#copy(json.subarray(from));
  }

  #readText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  /** What replaces a byte of the structure; undefined for the others. */
  #markAt(byte: number): string | undefined {
    switch (byte) {
      case ARRAY:
      case OBJECT:
        return this.#beginning() + this.#opened(byte === OBJECT);
      case ARRAY_END:
      case OBJECT_END:
        return this.#closed();
      case COMMA:
        return this.#open.at(-1) === true ? `,${this.#newLine}` : ", ";
      case COLON:
        return " : ";
      default:
        return undefined;
    }
  }

  /** What comes before a value or key that is the first of an array or object. */
  #beginning(): string {
    if (!this.#isEmpty) return "";
    this.#isEmpty = false;
    return this.#open.at(-1) === true ? this.#newLine : " ";
  }

  #opened(isObject: boolean): string {
    this.#open.push(isObject);
    if (isObject) this.#depth++;
    this.#isEmpty = true;
    return isObject ? "{" : "[";
  }

  #closed(): string {
    const isObject = this.#open.pop() === true;
    if (isObject) this.#depth--;
    const before = isObject && !this.#isEmpty ? this.#newLine : " ";
    this.#isEmpty = false;
    return before + (isObject ? "}" : "]");
  }

  get #newLine(): string {
    return `\n${"  ".repeat(this.#depth)}`;
  }

  *#copy(bytes: Buffer): Generator<Buffer, void> {
    for (let from = 0; from < bytes.length;) {
      if (this.#size === this.#piece.length) {
        yield this.#piece;
        this.#piece = newPiece();
        this.#size = 0;
      }
      const copied = bytes.copy(this.#piece, this.#size, from);
      this.#size += copied;
      from += copied;
    }
  }
}
