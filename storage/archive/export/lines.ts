/**
 * Lines of a dictionary by their ids, as places in the texts that they came in. With an object for each line, what a range
 * leaves to the collector would be several times as much.
 */
export class Lines {
  readonly #slots = new Map<number, number>();
  readonly #texts: Buffer[] = [];
  /** Of each slot the text's index, where the line begins in it and where it ends. */
  readonly #places: Uint32Array;
  readonly #others: Lines | undefined;

  /**
   * @param most so many lines may be added
   * @param others lines that are found here as well
   */
  constructor(most: number, others?: Lines) {
    this.#places = new Uint32Array(most * 3);
    this.#others = others;
  }

  /** A text that the lines which are added next are in. */
  addText(text: Buffer): void {
    this.#texts.push(text);
  }

  /** A line of the last text. */
  add(id: number, start: number, end: number): void {
    const slot = this.#slots.size * 3;
    this.#slots.set(id, slot);
    this.#places[slot] = this.#texts.length - 1;
    this.#places[slot + 1] = start;
    this.#places[slot + 2] = end;
  }

  /** Where a line is found; undefined where there is none of that id. The others' are below zero. */
  slotOf(id: number): number | undefined {
    const own = this.#slots.get(id);
    if (own !== undefined) return own;
    const other = this.#others?.slotOf(id);
    return other === undefined ? undefined : ~other;
  }

  /** Bytes of the line at a slot. */
  lengthAt(slot: number): number {
    if (slot < 0) return this.#others?.lengthAt(~slot) ?? 0;
    return (this.#places[slot + 2] as number) - (this.#places[slot + 1] as number);
  }

  /** Writes the line at a slot into memory. */
  copy(slot: number, target: Buffer, at: number): void {
    if (slot < 0) {
      this.#others?.copy(~slot, target, at);
      return;
    }
    const text = this.#texts[this.#places[slot] as number] as Buffer;
    text.copy(target, at, this.#places[slot + 1], this.#places[slot + 2]);
  }
}
