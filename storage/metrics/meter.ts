import type { Ticks } from "./ticks.ts";

/** Rates are updated in steps of this many milliseconds. */
const STEP = 5000;

/** The part of an average over some minutes that one step replaces. */
const share = (minutes: number): number => 1 - Math.exp(-STEP / 60_000 / minutes);
const SHARES = [share(1), share(5), share(15)] as const;

/** Events per second. */
export interface Rates {
  readonly mean: number;
  readonly oneMinute: number;
  readonly fiveMinutes: number;
  readonly fifteenMinutes: number;
}

/**
 * Counts events and their rate: exponentially weighted averages in steps of five seconds
 * (`reference/metrics.md §4`). Missed steps are computed on the next mark or read, so no timer runs.
 */
export class Meter {
  readonly kind = "meter";
  readonly #ticks: Ticks;
  readonly #started: number;
  #count = 0;
  /** events of the current step */
  #fresh = 0;
  #lastStep: number;
  /** events per second; undefined until the first step has ended */
  #averages: [number, number, number] | undefined;

  constructor(ticks: Ticks) {
    this.#ticks = ticks;
    this.#started = ticks();
    this.#lastStep = this.#started;
  }

  get count(): number {
    return this.#count;
  }

  mark(n = 1): void {
    this.#catchUp(this.#ticks());
    this.#count += n;
    this.#fresh += n;
  }

  rates(): Rates {
    const now = this.#ticks();
    this.#catchUp(now);
    const seconds = (now - this.#started) / 1000;
    const [oneMinute, fiveMinutes, fifteenMinutes] = this.#averages ?? [0, 0, 0];
    return { mean: seconds > 0 ? this.#count / seconds : 0, oneMinute, fiveMinutes, fifteenMinutes };
  }

  #catchUp(now: number): void {
    const steps = Math.floor((now - this.#lastStep) / STEP);
    if (steps <= 0) return;
    this.#lastStep += steps * STEP;
    const rate = this.#fresh / (STEP / 1000);
    this.#fresh = 0;
    const before = this.#averages ?? [rate, rate, rate];
    // The first step includes all counted events, the others none.
    const after = (index: 0 | 1 | 2): number =>
      (before[index] + SHARES[index] * (rate - before[index])) * (1 - SHARES[index]) ** (steps - 1);
    this.#averages = [after(0), after(1), after(2)];
  }
}
