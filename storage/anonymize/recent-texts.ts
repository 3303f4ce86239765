/** Longer texts are not cached, because they rarely occur again. */
const LONGEST = 256;
/** Texts in each of the two generations. */
const GENERATION = 20_000;

/** Caches results for recent texts in bounded memory: when the younger half is full, the older one is dropped. */
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

  /** Empties the cache. */
  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
