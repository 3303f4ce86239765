/** Longer texts are not worth being kept: they rarely come back. */
const LONGEST = 256;
/** Texts in each of the two generations. */
const GENERATION = 20_000;

/** What was found out about texts that were met of late, in bounded memory: the older half goes when the younger is full. */
export class RecentTexts<T> {
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  get(text: string): T | undefined {
    const found = this.#young.get(text);
    if (found !== undefined) return found;
    const older = this.#old.get(text);
    if (older !== undefined) this.set(text, older);
    return older;
  }

  set(text: string, result: T): void {
    if (text.length > LONGEST) return;
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, result);
  }

  /** Forgets everything. */
  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
