/** Seconds to wait before the next try: twice as long each time. */
const FIRST = 0.25;
const LONGEST = 30;

/** Pauses that grow while nothing helps, and that can be cut short. */
export class BackOff {
  /** What a pause that was cut short throws. */
  static readonly cancelled: unique symbol = Symbol("cancelled");

  #seconds = FIRST;
  #isCancelled = false;
  readonly #cancels = new Set<() => void>();

  /** Whether nothing has worked since the last pause. */
  get isNeeded(): boolean {
    return this.#seconds > FIRST;
  }

  /** Things work: the next pause is short again. */
  reset(): void {
    this.#seconds = FIRST;
  }

  /** `over` resolves when the pause is, and rejects with {@link BackOff.cancelled} when there is no point in waiting. */
  pause(): { readonly seconds: number; readonly over: Promise<void> } {
    const seconds = this.#seconds;
    this.#seconds = Math.min(LONGEST, seconds * 2);
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
