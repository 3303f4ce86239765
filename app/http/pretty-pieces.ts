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

/** Bytes that one byte of a text can become, besides the indentation of a new line. */
const LONGEST_MARK = 4;

/** Indents a JSON text that it gets part by part, with the layout of `pretty.ts`. */
class Indenter {
  #piece = newPiece();
  #size = 0;
  /** The arrays and objects that are open: whether each is an object. */
  readonly #open: boolean[] = [];
  /** The number of open objects: few compared with the size of a piece, since the depth of documents is limited. */
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
    for (let at = this.#fill(json, 0); at < json.length; at = this.#fill(json, at)) {
      yield this.rest;
      this.#piece = newPiece();
      this.#size = 0;
    }
  }

  /**
   * Writes as much of a text as the piece has room for.
   * @param from where to begin in the text
   * @returns where to go on
   */
  #fill(json: Buffer, from: number): number {
    let at = from;
    while (at < json.length && this.#size + 2 * this.#depth + LONGEST_MARK <= this.#piece.length) {
      if (this.#isText) at = this.#copyText(json, at);
      else this.#add(json[at++] ?? SPACE);
    }
    return at;
  }

  /** Copies the bytes of a text in quotes, up to its end. */
  #copyText(json: Buffer, from: number): number {
    const piece = this.#piece;
    let [at, size, isEscaped] = [from, this.#size, this.#isEscaped];
    while (this.#isText && at < json.length && size < piece.length) {
      const byte = json[at++] ?? SPACE;
      piece[size++] = byte;
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) this.#isText = false;
    }
    this.#size = size;
    this.#isEscaped = isEscaped;
    return at;
  }

  /** Writes what a byte outside of quotes becomes. */
  #add(byte: number): void {
    switch (byte) {
      case SPACE:
      case NEW_LINE:
      case TAB:
      case RETURN:
        return;
      case ARRAY:
      case OBJECT:
        this.#begin();
        this.#append(byte);
        this.#enter(byte === OBJECT);
        return;
      case ARRAY_END:
      case OBJECT_END:
        this.#leave();
        this.#append(byte);
        return;
      case COMMA:
        this.#append(COMMA);
        this.#separate();
        return;
      case COLON:
        this.#append(SPACE);
        this.#append(COLON);
        this.#append(SPACE);
        return;
      default:
        this.#begin();
        this.#append(byte);
        this.#isText = byte === QUOTE;
    }
  }

  /** Whether what was opened last is an object. */
  get #isObject(): boolean {
    return this.#open.at(-1) === true;
  }

  /** Writes what comes before a value or key that is the first of an array or object. */
  #begin(): void {
    if (this.#isEmpty) this.#separate();
    this.#isEmpty = false;
  }

  #enter(isObject: boolean): void {
    this.#open.push(isObject);
    if (isObject) this.#depth++;
    this.#isEmpty = true;
  }

  #leave(): void {
    if (this.#isObject) this.#depth--;
    if (this.#isEmpty) this.#append(SPACE);
    else this.#separate();
    this.#open.pop();
    this.#isEmpty = false;
  }

  /** A new line in an object, a space in an array. */
  #separate(): void {
    if (!this.#isObject) return this.#append(SPACE);
    this.#append(NEW_LINE);
    const end = this.#size + 2 * this.#depth;
    this.#piece.fill(SPACE, this.#size, end);
    this.#size = end;
  }

  #append(byte: number): void {
    this.#piece[this.#size++] = byte;
  }
}
