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
    // Longer texts rarely occur again.
    if (text.length > 256) return;
    if (this.#young.size >= 20_000) {
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
