/**
 * A batch that is not full waits so long for more (ms), unless somebody waits for one of its commands: a transaction costs
 * as much for one command as for fifty.
 */
const LINGER = 40;

/** It does not wait on when none has come for so long (ms). */
const LULL = 5;

/** Commands that come one by one share a transaction: after one with fewer than `few` the next begins so much later (ms). */
const TRICKLE = { few: 8, apart: 100 };

/** How long a batch waits for more commands before it begins. */
export class Patience {
  #waiting: PromiseWithResolvers<void> | undefined;
  #isOver = false;
  /** When the next batch may begin that nobody waits for, as `performance.now()` tells it. */
  #notBefore = 0;

  /** The next batch need not wait. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The batch that waits for more need not do so. */
  end(): void {
    this.#isOver = true;
    this.#waiting?.resolve();
  }

  /**
   * A batch has begun.
   * @param commands it has so many
   * @param isOver whether the next one need not wait
   */
  begun(commands: number, isOver: boolean): void {
    this.#isOver = isOver;
    this.#notBefore = commands < TRICKLE.few ? performance.now() + TRICKLE.apart : 0;
  }

  /**
   * Waits until there is a batch worth a transaction, no command comes any more, or its time has come.
   * @param present tells how many commands there are
   */
  async wait(present: () => number): Promise<void> {
    for (let waited = 0, seen = -1; !this.#isOver && waited < LINGER && seen !== present(); waited += LULL) {
      seen = present();
      await this.#pause(LULL);
    }
    const early = this.#notBefore - performance.now();
    if (!this.#isOver && early > 0) await this.#pause(early);
  }

  /** Waits so many ms, or until there is a hurry. */
  async #pause(ms: number): Promise<void> {
    this.#waiting = Promise.withResolvers();
    const timer = setTimeout(this.#waiting.resolve, ms);
    await this.#waiting.promise;
    clearTimeout(timer);
    this.#waiting = undefined;
  }
}
