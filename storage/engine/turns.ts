import type { Pool, PoolListener } from "./pool.ts";

/** Runs writers one after another. */
export class Turns {
  /** Running and waiting writers. */
  #writers = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work. */
  async run<T>(work: () => Promise<T>, listener: PoolListener | undefined): Promise<T> {
    const arrived = performance.now();
    this.#writers++;
    const turn = this.#last
      .catch(() => undefined)
      .then(async () => {
        const began = performance.now();
        listener?.waited("write", began - arrived);
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

  /** Resolves when all current work has finished. */
  async idle(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  /** The only connection for writing. */
  get pool(): Pool {
    const active = Math.min(1, this.#writers);
    return { active, idle: 1 - active, pending: this.#writers - active, total: 1, max: 1, min: 1 };
  }
}
