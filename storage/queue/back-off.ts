/** Seconds before the next attempt: doubled each time, from the first to the longest. */
const FIRST_SECONDS = 0.25;
const LONGEST_SECONDS = 30;

/** Pauses that grow with each failed attempt, and that can be cancelled. */
export class BackOff {
  /** Thrown by a cancelled pause. */
  static readonly cancelled: unique symbol = Symbol("cancelled");

  #seconds = FIRST_SECONDS;
  #isCancelled = false;
  readonly #cancels = new Set<() => void>();

  /** Whether nothing has succeeded since the last pause. */
  get isNeeded(): boolean {
    return this.#seconds > FIRST_SECONDS;
  }

  /** An attempt has succeeded: the next pause is short again. */
  reset(): void {
    this.#seconds = FIRST_SECONDS;
  }

  /** `over` resolves at the end of the pause, and rejects with {@link BackOff.cancelled} when it is cancelled. */
  pause(): { readonly seconds: number; readonly over: Promise<void> } {
    const seconds = this.#seconds;
    this.#seconds = Math.min(LONGEST_SECONDS, seconds * 2);
    const over = new Promise<void>((resolve, reject) => {
      // eslint-disable-next-line typescript/prefer-promise-reject-errors
      const cancel = (): void => reject(BackOff.cancelled);
      if (this.#isCancelled) return cancel();
      const timer = setTimeout(() => {
        this.#cancels.delete(stop);
        resolve();
      }, seconds * 1000);
      const stop = (): void => {
        clearTimeout(timer);
        cancel();
      };
      this.#cancels.add(stop);
    });
    return { seconds, over };
  }

  /** Ends all pauses, now and later. */
  cancel(): void {
    this.#isCancelled = true;
    for (const stop of this.#cancels) stop();
    this.#cancels.clear();
  }
}
