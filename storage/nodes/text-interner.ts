/** Texts that are kept at most; texts in use elsewhere stay as they are when all are forgotten. */
const MAX_TEXTS = 10_000;

/** Returns one and the same string for equal texts, so that a text that many rows have is in memory once. */
export class TextInterner {
  readonly #texts = new Map<string, string>();

  intern(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= MAX_TEXTS) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
