import type { DeadLetters } from "./dead-letters.ts";

/** Milliseconds between checks. */
const INTERVAL = 3000;

/** Looks for dead letters that were returned to the queue. */
export class RetriedLetters {
  readonly #deadLetters: DeadLetters;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deadLetters: DeadLetters) {
    this.#deadLetters = deadLetters;
  }

  /** @param admit adds one to the queue; where it fails, it is tried again at the next check */
  start(admit: Parameters<DeadLetters["acceptRetried"]>[0]): void {
    const look = async (): Promise<void> => {
      await this.#deadLetters.acceptRetried(admit).catch(() => undefined);
      if (!this.#isStopped) this.#timer = setTimeout(() => void look(), INTERVAL).unref();
    };
    void look();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
