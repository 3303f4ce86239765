/** A value and its weight; only the ratio of weights matters. */
export interface Sample {
  readonly value: number;
  readonly weight: number;
}

/** Statistics of a sample. Everything is 0 if it is empty. */
export class Snapshot {
  readonly #values: readonly number[];
  readonly #weights: readonly number[];

  constructor(samples: readonly Sample[]) {
    const sorted = samples.toSorted((a, b) => a.value - b.value);
    const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
    this.#values = sorted.map(({ value }) => value);
    this.#weights = sorted.map(({ weight }) => weight / total);
  }

  /** The number of values in the sample. */
  get size(): number {
    return this.#values.length;
  }

  get min(): number {
    return this.#values[0] ?? 0;
  }

  get max(): number {
    return this.#values.at(-1) ?? 0;
  }

  get mean(): number {
    return this.#values.reduce((sum, value, index) => sum + value * (this.#weights[index] ?? 0), 0);
  }

  get standardDeviation(): number {
    if (this.size < 2) return 0;
    const { mean } = this;
    const variance = this.#values.reduce(
      (sum, value, index) => sum + (this.#weights[index] ?? 0) * (value - mean) ** 2,
      0,
    );
    return Math.sqrt(variance);
  }

  /** The largest value below which at most this part (0 to 1) of the weight is. */
  quantile(part: number): number {
    let below = 0;
    let found = this.min;
    for (const [index, value] of this.#values.entries()) {
      if (below > part) break;
      found = value;
      below += this.#weights[index] ?? 0;
    }
    return found;
  }
}
