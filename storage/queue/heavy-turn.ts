import { isHeavy } from "../ingest/heavy.ts";
import { payloadAllowance } from "../memory/allowance.ts";
import { freeMemory } from "../memory/guard.ts";
import { type Waiting, weightOf } from "./waiting-line.ts";

/**
 * Milliseconds that a heavy command waits for requests that are being received, because a client may be slow, or wait
 * for it.
 */
const MAX_WAIT = 20_000;

/** Whether one of these commands is heavy. */
export function hasHeavy(taken: readonly Waiting[]): boolean {
  return taken.some((waiting) => isHeavy(weightOf(waiting)));
}

/** Reserves the memory of large requests for one heavy command at a time. */
export class HeavyTurn {
  #reserved = 0;

  /**
   * Waits until no large request is being received, and makes new ones wait until {@link end}. A request that takes too
   * long to arrive keeps its memory; all other memory is reserved.
   */
  async begin(): Promise<void> {
    const allowance = payloadAllowance();
    // The rest remains for requests of ordinary size.
    const amount = Math.floor((allowance.total * 7) / 8);
    this.#reserved = await allowance.acquire(amount, MAX_WAIT).then(
      () => amount,
      () => allowance.acquireUpTo(amount),
    );
    await freeMemory();
  }

  /** Releases the memory, if any was reserved. */
  end(): void {
    if (this.#reserved > 0) payloadAllowance().release(this.#reserved);
    this.#reserved = 0;
  }
}
