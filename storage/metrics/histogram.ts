import { Reservoir } from "./reservoir.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Ticks } from "./ticks.ts";

/** How values are distributed, the last minutes above all. */
export class Histogram {
  readonly kind = "histogram";
  readonly #reservoir: Reservoir;
  #count = 0;
  #sum = 0;
  #snapshot: Snapshot | undefined;

  constructor(ticks: Ticks) {
    this.#reservoir = new Reservoir(ticks);
  }

  /** Values ever taken in, and their sum. */
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

  /** The same one until another value comes: all weights fade alike. */
  snapshot(): Snapshot {
    return (this.#snapshot ??= this.#reservoir.snapshot());
  }
}
