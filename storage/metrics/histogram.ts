import { Reservoir } from "./reservoir.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Ticks } from "./ticks.ts";

/** The distribution of values, mostly of the last minutes. */
export class Histogram {
  readonly kind = "histogram";
  readonly #reservoir: Reservoir;
  #count = 0;
  #sum = 0;
  #snapshot: Snapshot | undefined;

  constructor(ticks: Ticks) {
    this.#reservoir = new Reservoir(ticks);
  }

  /** The number of values so far, and their sum. */
  get count(): number {
    return this.#count;
  }

  get sum(): number {
    return this.#sum;
  }

  update(value: number): void {
    this.#count++;
    this.#sum += value;
    this.#reservoir.update(value);
    this.#snapshot = undefined;
  }

  /** Cached until another value is added, because all weights decrease alike. */
  snapshot(): Snapshot {
    return (this.#snapshot ??= this.#reservoir.snapshot());
  }
}
