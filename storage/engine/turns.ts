import type { Pool, PoolListener } from "./pool.ts";

/** Writers, one after another. */
export class Turns {
  /** Those that work or wait. */
  #writers = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everybody before has finished. */
  async take<T>(work: () => Promise<T>, listener: PoolListener | undefined): Promise<T> {
    const asked = performance.now();
    this.#writers++;
    const turn = this.#last
      .catch(() => undefined)
      .then(async () => {
        const began = performance.now();
        listener?.waited("write", began - asked);
        try {
          return await work();
        } finally {
          this.#writers--;
          listener?.used("write", performance.now() - began);
        }
      });
    this.#last = turn;
    return turn;
  }

  /** Resolves when everybody has finished who is there now. */
  async over(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  /** The one connection that writes. */
  get pool(): Pool {
    const active = Math.min(1, this.#writers);
    return { active, idle: 1 - active, pending: this.#writers - active, total: 1, max: 1, min: 1 };
  }
}
