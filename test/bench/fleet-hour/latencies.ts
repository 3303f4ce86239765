import { percentile } from "../statistics.ts";

/** How long a kind of request took, in ms. */
export interface LatencySummary {
  readonly count: number;
  readonly median: number;
  readonly p99: number;
  readonly slowest: number;
  /** the 99th percentile of each interval; null: nothing was due in it */
  readonly byInterval: readonly (number | null)[];
}

/** Collects durations, and the intervals in which they began. */
export class Latencies {
  readonly #interval: number;
  readonly #byInterval: number[][];

  /**
   * @param interval ms
   * @param count intervals; what begins later belongs to the last
   */
  constructor(interval: number, count: number) {
    this.#interval = interval;
    this.#byInterval = Array.from({ length: count }, () => []);
  }

  /** @param at when it began, ms since the begin of the first interval */
  add(at: number, ms: number): void {
    const interval = Math.min(Math.max(0, Math.floor(at / this.#interval)), this.#byInterval.length - 1);
    this.#byInterval[interval]?.push(ms);
  }

  /** @throws RangeError when nothing was added */
  summary(): LatencySummary {
    const all = this.#byInterval.flat();
    return {
      count: all.length,
      median: percentile(all, 0.5),
      p99: percentile(all, 0.99),
      slowest: percentile(all, 1),
      byInterval: this.#byInterval.map((some) => (some.length === 0 ? null : percentile(some, 0.99))),
    };
  }
}

/** The greatest value of each interval. */
export class Peaks {
  readonly #interval: number;
  readonly #peaks: (number | null)[];

  /** As of {@link Latencies}. */
  constructor(interval: number, count: number) {
    this.#interval = interval;
    this.#peaks = Array.from({ length: count }, () => null);
  }

  /** @param at ms since the begin of the first interval; later than the last: ignored */
  add(at: number, value: number): void {
    const interval = Math.floor(at / this.#interval);
    if (interval >= 0 && interval < this.#peaks.length) {
      this.#peaks[interval] = Math.max(this.#peaks[interval] ?? value, value);
    }
  }

  /** null: there is no value in the interval */
  get byInterval(): readonly (number | null)[] {
    return this.#peaks;
  }
}

/** The greatest of the values that there are; 0 if there are none. */
export function greatest(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}
