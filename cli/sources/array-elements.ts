import { parseJson, stringifyJson } from "#storage/json.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSE: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Cuts one JSON array that arrives in pieces into the texts of its elements, so that an answer of any size passes
 * through little memory. Looks at brackets and quotes alone; an element on several lines is put on one.
 * @throws SyntaxError when the text is not an array, or ends before the array does
 */
export async function* arrayElements(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  const cutter = new Cutter();
  for await (const chunk of chunks) {
    const elements = cutter.take(chunk);
    if (elements.length > 0) yield elements;
  }
  cutter.finish();
}

class Cutter {
  /** The text of the current element so far. */
  #pending = "";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #ended = false;

  take(chunk: string): string[] {
    const elements: string[] = [];
    let start = 0;
    const cut = (end: number): void => {
      const element = (this.#pending + chunk.slice(start, end)).trim();
      this.#pending = "";
      start = end + 1;
      if (element !== "") elements.push(element.includes("\n") ? stringifyJson(parseJson(element)) : element);
    };
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        else if (code === QUOTE) this.#inString = false;
      } else if (code === QUOTE) {
        this.#inString = true;
      } else if (OPEN.has(code)) {
        if (this.#depth === 0) this.#begin(chunk.slice(start, at), code);
        if (this.#depth === 0) start = at + 1;
        this.#depth++;
      } else if (CLOSE.has(code)) {
        this.#depth--;
        if (this.#depth === 0) {
          cut(at);
          this.#ended = true;
        }
      } else if (code === COMMA && this.#depth === 1) {
        cut(at);
      }
    }
    this.#pending += chunk.slice(start);
    return elements;
  }

  #begin(before: string, code: number): void {
    const text = this.#pending + before;
    this.#pending = "";
    if (this.#ended || text.trim() !== "" || code !== 0x5b) throw new SyntaxError(`found ${text.trim().slice(0, 40)}`);
  }

  finish(): void {
    if (this.#ended && this.#pending.trim() === "") return;
    throw new SyntaxError(this.#ended ? "more than one value" : "it ends too early");
  }
}
