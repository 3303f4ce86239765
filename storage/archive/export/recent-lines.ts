/** Lines by their ids in bounded memory: the older half goes when the younger is full. */
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
    if (older === undefined) return undefined;
    // A copy: it shares its memory with others, which shall not be kept along with it.
    const own = Buffer.from(older);
    this.set(id, own);
    return own;
  }

  set(id: number, line: Buffer): void {
    if (this.#bytes >= this.#generation) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    this.#young.set(id, line);
    this.#bytes += line.length;
  }
}
