import { pause } from "../follow/pause.ts";

/** Parts of the time in which a request may be running: at most, and at least where the server has become slow. */
const SHARE = { most: 0.25, least: 0.05 };

/** Leaves a server time for others: after each request it is left alone for a multiple of what the request took. */
export class Pace {
  readonly #most: number;
  #share: number;
  /** Milliseconds that a look takes: a moving average. */
  #usual: number | undefined;
  #next = 0;

  /** @param most see {@link SHARE} */
  constructor(most = SHARE.most) {
    this.#most = most;
    this.#share = most;
  }

  /** Runs a request when the server has been left alone for long enough. */
  async run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const wait = this.#next - performance.now();
    if (wait > 0) await pause(wait, signal);
    signal.throwIfAborted();
    const began = performance.now();
    try {
      return await request();
    } finally {
      const ended = performance.now();
      this.#next = ended + (ended - began) * (1 / this.#share - 1);
    }
  }

  /** Adapts the share to how long a request took that always reads the same. */
  looked(ms: number): void {
    const usual = (this.#usual ??= ms);
    const isSlow = ms > usual * 2;
    this.#share = isSlow ? Math.max(SHARE.least, this.#share / 2) : Math.min(this.#most, this.#share * 2);
    this.#usual = usual + (ms - usual) / 8;
  }
}
