import { CensusError } from "../errors.ts";
import { memoryBudget } from "./budget.ts";

interface Waiting {
  readonly amount: number;
  readonly admit: () => void;
}

/**
 * An amount of something, such as bytes or places, that callers share. A caller that finds too little available waits,
 * first come, first served, so that a large request is not passed by forever.
 */
export class Allowance {
  readonly total: number;
  readonly #what: string;
  #available: number;
  readonly #waiting = new Set<Waiting>();

  /** @param what the message when the wait ends without success: `… is in use` */
  constructor(total: number, what: string) {
    this.total = total;
    this.#available = total;
    this.#what = what;
  }

  /** The number of waiting callers. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Amount in use. */
  get used(): number {
    return this.total - this.#available;
  }

  /** Acquires an amount if it is available and nobody waits; more than the total counts as the total. */
  tryAcquire(amount = 1): boolean {
    if (this.#waiting.size > 0 || this.#available < this.#bounded(amount)) return false;
    this.#available -= this.#bounded(amount);
    return true;
  }

  /**
   * Acquires an amount, waiting for it.
   * @param patience maximum wait, ms
   * @throws CensusError "unavailable" after that time; the signal's reason
   */
  async acquire(amount: number, patience: number, signal?: AbortSignal): Promise<void> {
    if (this.tryAcquire(amount)) return;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { amount: this.#bounded(amount), admit: resolve };
    const leave = (reason: unknown): void => {
      if (!this.#waiting.delete(waiting)) return;
      reject(reason);
      this.#admit();
    };
    const late = (): void => leave(new CensusError("unavailable", `${this.#what}; try again later`));
    const aborted = (): void => leave(signal?.reason);
    const timer = setTimeout(late, patience);
    signal?.addEventListener("abort", aborted);
    this.#waiting.add(waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
    }
  }

  /** Acquires what is available, up to an amount, even if others wait; returns the acquired amount. */
  acquireUpTo(amount: number): number {
    const acquired = Math.min(amount, this.#available);
    this.#available -= acquired;
    return acquired;
  }

  /** Releases an acquired amount. */
  release(amount = 1): void {
    this.#available += this.#bounded(amount);
    this.#admit();
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (this.#available < waiting.amount) return;
      this.#waiting.delete(waiting);
      this.#available -= waiting.amount;
      waiting.admit();
    }
  }

  #bounded(amount: number): number {
    return Math.min(amount, this.total);
  }
}

let longTexts: Allowance | undefined;

/** Bytes of texts of megabytes that results contain, while they are read. */
export function longTextAllowance(): Allowance {
  longTexts ??= new Allowance(memoryBudget().longTexts, "Too many long documents are being sent");
  return longTexts;
}

let payloads: Allowance | undefined;

/**
 * Bytes of large payloads that are in memory at the same time: bodies of requests that are received, and commands that
 * are prepared and written separately.
 */
export function payloadAllowance(): Allowance {
  payloads ??= new Allowance(memoryBudget().bodies, "Too many large requests are being received");
  return payloads;
}
