import { type Sample, Snapshot } from "./snapshot.ts";
import type { Ticks } from "./ticks.ts";

/** The size of the sample, and the decay of old values' weights per second (`reference/metrics.md §4`). */
const SIZE = 1028;
const ALPHA = 0.015;

/**
 * A sample of a stream of values in which the last minutes count most: each value gets a priority that grows with time
 * and chance, and the values with the highest priorities are kept, in a binary heap with the lowest on top, in typed
 * arrays, so that a value costs well under a microsecond.
 */
export class Reservoir {
  readonly #ticks: Ticks;
  readonly #random: () => number;
  readonly #priorities = new Float64Array(SIZE);
  readonly #weights = new Float64Array(SIZE);
  readonly #values = new Float64Array(SIZE);
  #size = 0;
  #landmark: number;

  /** @param random from 0 to, but not including, 1 */
  constructor(ticks: Ticks, random: () => number = Math.random) {
    this.#ticks = ticks;
    this.#random = random;
    this.#landmark = ticks();
  }

  update(value: number): void {
    const now = this.#ticks();
    // Weights grow with e^(α·age of the reservoir); they are scaled down before they leave the range of a double.
    if (now - this.#landmark >= 3_600_000) this.#rescale(now);
    const weight = Math.exp((ALPHA * (now - this.#landmark)) / 1000);
    const priority = weight / (1 - this.#random());
    if (this.#size < SIZE) this.#rise(this.#size++, priority, weight, value);
    else if (priority > (this.#priorities[0] ?? 0)) this.#sink(priority, weight, value);
  }

  snapshot(): Snapshot {
    const sample = (_: unknown, at: number): Sample => ({
      value: this.#values[at] ?? 0,
      weight: this.#weights[at] ?? 0,
    });
    return new Snapshot(Array.from({ length: this.#size }, sample));
  }

  /**
   * Moves the landmark to now. All weights shrink alike, so their order does not change; those that become 0 are
   * dropped.
   */
  #rescale(now: number): void {
    const factor = Math.exp((-ALPHA * (now - this.#landmark)) / 1000);
    this.#landmark = now;
    let kept = 0;
    for (let at = 0; at < this.#size; at++) {
      const weight = (this.#weights[at] ?? 0) * factor;
      if (weight === 0) continue;
      this.#rise(kept++, (this.#priorities[at] ?? 0) * factor, weight, this.#values[at] ?? 0);
    }
    this.#size = kept;
  }

  /** Adds a value at the end of the heap and moves it up to its position. */
  #rise(end: number, priority: number, weight: number, value: number): void {
    let at = end;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#priorities[parent] ?? 0) <= priority) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, priority, weight, value);
  }

  /** Replaces the lowest value and moves the new one down to its position. */
  #sink(priority: number, weight: number, value: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= SIZE) break;
      if (child + 1 < SIZE && (this.#priorities[child + 1] ?? 0) < (this.#priorities[child] ?? 0)) child++;
      if ((this.#priorities[child] ?? 0) >= priority) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, priority, weight, value);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#priorities[from] ?? 0, this.#weights[from] ?? 0, this.#values[from] ?? 0);
  }

  #put(at: number, priority: number, weight: number, value: number): void {
    this.#priorities[at] = priority;
    this.#weights[at] = weight;
    this.#values[at] = value;
  }
}
