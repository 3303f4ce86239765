/** Returns one and the same string for equal texts, so that a text that many rows have is in memory once. */
export class TextInterner {
  readonly #texts = new Map<string, string>();

  intern(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    // Texts in use elsewhere stay as they are.
    if (this.#texts.size >= 10_000) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
