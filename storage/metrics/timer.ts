import { Buckets } from "./buckets.ts";
import { Histogram } from "./histogram.ts";
import { Meter, type Rates } from "./meter.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Ticks } from "./ticks.ts";

/** The durations of something in milliseconds, and its rate. */
export class Timer {
  readonly kind = "timer";
  readonly #ticks: Ticks;
  readonly #meter: Meter;
  readonly #histogram: Histogram;
  readonly #buckets = new Buckets();

  constructor(ticks: Ticks) {
    this.#ticks = ticks;
    this.#meter = new Meter(ticks);
    this.#histogram = new Histogram(ticks);
  }

  get count(): number {
    return this.#histogram.count;
  }

  /** The total of all durations, in milliseconds. */
  get sum(): number {
    return this.#histogram.sum;
  }

  update(ms: number): void {
    this.#meter.mark();
    this.#histogram.update(ms);
    this.#buckets.add(ms);
  }

  /** The number of durations up to each of `bucketLimits`. */
  buckets(): number[] {
    return this.#buckets.cumulative();
  }

  /** Times `work`, even if it fails. */
  async time<T>(work: () => Promise<T>): Promise<T> {
    const started = this.#ticks();
    try {
      return await work();
    } finally {
      this.update(this.#ticks() - started);
    }
  }

  rates(): Rates {
    return this.#meter.rates();
  }

  snapshot(): Snapshot {
    return this.#histogram.snapshot();
  }
}
