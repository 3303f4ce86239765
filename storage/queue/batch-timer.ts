/**
 * Maximum milliseconds that a batch waits for more commands, unless a client waits for one of its commands: a
 * transaction costs as much for one command as for fifty.
 */
const MAX_WAIT = 40;

/** A batch begins earlier when no command has arrived for this many milliseconds. */
const LULL = 5;

/** Rare commands share a transaction: after a batch with fewer than `few` the next begins `apart` ms later. */
const RARE_COMMANDS = { few: 8, apart: 100 };

/**
 * A large store takes as long for a batch of few commands as for one of many: after a batch that took longer than `from` ms, the
 * next one begins later, by as many times what it took longer, but not by more than `most` ms after its begin.
 */
const SLOW_BATCHES = { from: 50, times: 4, most: 500 };

/** When the next batch begins. */
export class BatchTimer {
  #waiting: PromiseWithResolvers<void> | undefined;
  #isDue = false;
  /** The earliest begin of a batch that no client waits for, as `performance.now()`. */
  #notBefore = 0;

  /** Whether the next batch need not wait for more commands. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Lets the next batch begin immediately. */
  expire(): void {
    this.#isDue = true;
    this.#waiting?.resolve();
  }

  /**
   * Restarts the wait because a batch has begun.
   * @param commands number of its commands
   * @param isDue whether the next batch need not wait
   */
  restart(commands: number, isDue: boolean): void {
    this.#isDue = isDue;
    this.#notBefore = commands < RARE_COMMANDS.few ? performance.now() + RARE_COMMANDS.apart : 0;
  }

  /** A batch has been stored, which took `ms`. */
  stored(ms: number): void {
    const apart = Math.min(SLOW_BATCHES.most, SLOW_BATCHES.times * (ms - SLOW_BATCHES.from));
    this.#notBefore = Math.max(this.#notBefore, performance.now() - ms + apart);
  }

  /**
   * Waits until the next batch is due, no more commands come, or the longest wait is over.
   * @param waiting returns the number of commands that wait
   */
  async wait(waiting: () => number): Promise<void> {
    for (let waited = 0, seen = -1; !this.#isDue && waited < MAX_WAIT && seen !== waiting(); waited += LULL) {
      seen = waiting();
      await this.#pause(LULL);
    }
    const early = this.#notBefore - performance.now();
    if (!this.#isDue && early > 0) await this.#pause(early);
  }

  /** Waits for this many ms, or until {@link expire}. */
  async #pause(ms: number): Promise<void> {
    this.#waiting = Promise.withResolvers();
    const timer = setTimeout(this.#waiting.resolve, ms);
    await this.#waiting.promise;
    clearTimeout(timer);
    this.#waiting = undefined;
  }
}
