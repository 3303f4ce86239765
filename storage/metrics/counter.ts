/** A number that goes up, and for some things down again. */
export class Counter {
  readonly kind = "counter";
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(n = 1): void {
    this.#count += n;
  }
}

/** A counter whose value is computed when it is read. */
export class ObservedCounter {
  readonly kind = "counter";
  readonly #read: () => number;

  constructor(read: () => number) {
    this.#read = read;
  }

  get count(): number {
    return this.#read();
  }
}
