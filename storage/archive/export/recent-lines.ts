/** Copies of lines by their ids in bounded memory: the older half goes when the younger is full. */
export class RecentLines {
  readonly #generation: number;
  #young = new Map<number, Buffer>();
  #old = new Map<number, Buffer>();
  #bytes = 0;

  /** @param generation bytes in each half */
  constructor(generation: number) {
    this.#generation = generation;
  }

  get(id: number): Buffer | undefined {
    const found = this.#young.get(id);
    if (found !== undefined) return found;
    const older = this.#old.get(id);
    // A copy again: what shares a piece of memory with others keeps all of it.
    return older === undefined ? undefined : this.set(id, older);
  }

  /** @returns the copy */
  set(id: number, line: Buffer): Buffer {
    if (this.#bytes >= this.#generation) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    const own = Buffer.from(line);
    this.#young.set(id, own);
    this.#bytes += own.length;
    return own;
  }
}
