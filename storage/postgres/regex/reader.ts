/** A position in a pattern that moves forward by whole characters. */
export class Reader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#characters = Array.from(text);
  }

  get done(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** The next character, or "" at the end. */
  peek(): string {
    return this.#characters[this.#at] ?? "";
  }

  next(): string {
    return this.#characters[this.#at++] ?? "";
  }

  /** Whether `text` (of single-unit characters) comes next. */
  sees(text: string): boolean {
    return this.#characters.slice(this.#at, this.#at + text.length).join("") === text;
  }

  /** Skips `text` if it comes next. */
  eat(text: string): boolean {
    const found = this.sees(text);
    if (found) this.#at += text.length;
    return found;
  }

  /** Reads characters as long as they match, at most `limit` of them. */
  takeWhile(match: RegExp, limit = Infinity): string {
    let taken = "";
    while (!this.done && taken.length < limit && match.test(this.peek())) taken += this.next();
    return taken;
  }

  /** Goes back `count` characters. */
  back(count: number): void {
    this.#at -= count;
  }
}
