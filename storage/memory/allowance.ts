import { CensusError } from "../errors.ts";
import { memoryBudget } from "./budget.ts";

interface Waiting {
  readonly amount: number;
  readonly admit: () => void;
}

/**
 * An amount of something, such as bytes or places, that many share. Who finds too little left waits, first come, first
 * served, so that one that needs much is not passed by for ever.
 */
export class Allowance {
  readonly total: number;
  readonly #what: string;
  #left: number;
  readonly #line = new Set<Waiting>();

  /** @param what is said to those who get nothing: `… is in use` */
  constructor(total: number, what: string) {
    this.total = total;
    this.#left = total;
    this.#what = what;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Amount in use. */
  get used(): number {
    return this.total - this.#left;
  }

  /** Takes an amount if it is there and nobody waits for it; more than the total counts as all of it. */
  tryTake(amount = 1): boolean {
    if (this.#line.size > 0 || this.#left < this.#bounded(amount)) return false;
    this.#left -= this.#bounded(amount);
    return true;
  }

  /**
   * Takes an amount, waiting for it.
   * @param patience how long, ms
   * @throws CensusError "unavailable" when it is not there in time; the signal's reason
   */
  async take(amount: number, patience: number, signal?: AbortSignal): Promise<void> {
    if (this.tryTake(amount)) return;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { amount: this.#bounded(amount), admit: resolve };
    const leave = (reason: unknown): void => {
      if (!this.#line.delete(waiting)) return;
      reject(reason);
      this.#admit();
    };
    const late = (): void => leave(new CensusError("unavailable", `${this.#what}; try again later`));
    const aborted = (): void => leave(signal?.reason);
    const timer = setTimeout(late, patience);
    signal?.addEventListener("abort", aborted);
    this.#line.add(waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
    }
  }

  /** Takes what is left, up to an amount, whoever waits for it; returns how much. */
  takeUpTo(amount: number): number {
    const taken = Math.min(amount, this.#left);
    this.#left -= taken;
    return taken;
  }

  /** Gives back what was taken. */
  giveBack(amount = 1): void {
    this.#left += this.#bounded(amount);
    this.#admit();
  }

  #admit(): void {
    for (const waiting of this.#line) {
      if (this.#left < waiting.amount) return;
      this.#line.delete(waiting);
      this.#left -= waiting.amount;
      waiting.admit();
    }
  }

  #bounded(amount: number): number {
    return Math.min(amount, this.total);
  }
}

let payloads: Allowance | undefined;

/**
 * Bytes of large payloads that are in memory at the same time: bodies of requests that are received, and commands that are
 * prepared and written by themselves.
 */
export function payloadAllowance(): Allowance {
  payloads ??= new Allowance(memoryBudget().bodies, "Too many large requests are being received");
  return payloads;
}
