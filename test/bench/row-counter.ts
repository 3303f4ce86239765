/**
 * Counts the rows of a streamed JSON array of objects without parsing it: a row begins where an object follows another
 * and has the first row's first key. That is cheap enough not to slow down the server that is measured, and right as
 * long as no row holds an array of objects which begin with that key.
 */
export class RowCounter {
  rows = 0;
  #start: Buffer | undefined;
  #rest: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    const text = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#start === undefined) {
      const firstKey = /^\[(\{"[^"]*":)/.exec(text.toString("latin1", 0, 256))?.[1];
      this.#rest = text;
      if (firstKey === undefined) return;
      this.rows = 1;
      this.#start = Buffer.from(`},${firstKey}`, "latin1");
    }
    const start = this.#start;
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + start.length)) this.rows++;
    // The start of a row may be cut in two, so that too little of it is left to be found twice.
    this.#rest = text.subarray(Math.max(0, text.length - start.length + 1));
  }
}
