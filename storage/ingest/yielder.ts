/** Work goes on for this long before others get their turn, ms; what others do takes several turns as a rule. */
const TURN = 4;

/** Looking at the clock costs as much as a row does, so it is looked at so seldom. */
const LOOK = 16;

/** Lets the event loop attend to others while a long piece of work goes on. */
export class Pace {
  #since = performance.now();
  #calls = 0;

  /** Whether others have waited for long enough; to be asked after every small step. */
  isDue(): boolean {
    if (++this.#calls % LOOK !== 0) return false;
    return performance.now() - this.#since > TURN;
  }

  /** Gives them their turn. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
