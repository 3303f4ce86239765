const FIRST = 1024;

/** A list of numbers that only grows; eight bytes each. */
export class GrowingNumbers {
  #values = new Float64Array(FIRST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** @returns NaN beyond the end */
  at(index: number): number {
    return this.#values[index] ?? Number.NaN;
  }
}
