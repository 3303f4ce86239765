/** Milliseconds of work before it yields: other work of the event loop usually needs several turns. */
const TURN = 4;

/** Calls between two checks of the time: a check costs as much as a row. */
const CHECK_INTERVAL = 16;

/** Lets the event loop do other work in the middle of a long loop. */
export class Yielder {
  #since = performance.now();
  #calls = 0;

  /** Whether it is time to {@link yield}; to be called after every small step. */
  isDue(): boolean {
    if (++this.#calls % CHECK_INTERVAL !== 0) return false;
    return performance.now() - this.#since > TURN;
  }

  /** Resolves in a later turn of the event loop. */
  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
