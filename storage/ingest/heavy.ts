import { payloadAllowance } from "../memory/allowance.ts";
import { memoryBudget } from "../memory/budget.ts";
import { type Waiting, weightOf } from "../queue/waiting-line.ts";
import { relieveMemory } from "../memory/guard.ts";

/** What is left for requests of ordinary size while a heavy command is stored, in parts of the allowance. */
const LEFT = 1 / 8;

/** How long a heavy command waits for requests that are being received, ms; a client may be slow, or wait for it. */
const PATIENCE = 20_000;

/**
 * Whether commands take so much memory, where there is not much, that nothing else may be prepared or written meanwhile.
 * @param bytes of their payloads, unpacked
 */
export function isHeavy(bytes: number): boolean {
  const { isWatched, batch } = memoryBudget();
  return isWatched && bytes > 4 * batch.bytes;
}

/** Whether one of these commands is heavy. */
export function hasHeavy(taken: readonly Waiting<unknown>[]): boolean {
  return taken.some((waiting) => isHeavy(weightOf(waiting)));
}

/** Has one heavy command at a time take memory that large requests would have. */
export class HeavyTurn {
  #taken = 0;

  /** Waits until there are no large requests, and has others wait until {@link end}. */
  async begin(): Promise<void> {
    const allowance = payloadAllowance();
    const amount = Math.floor(allowance.total * (1 - LEFT));
    this.#taken = await allowance.take(amount, PATIENCE).then(
      () => amount,
      () => 0,
    );
    await relieveMemory();
  }

  /** The heavy command has been dealt with, if there was one. */
  end(): void {
    if (this.#taken > 0) payloadAllowance().giveBack(this.#taken);
    this.#taken = 0;
  }
}
