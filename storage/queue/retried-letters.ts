import { messageOf } from "../errors.ts";
import type { DeadLetters } from "./dead-letters.ts";

/** Looks for dead letters that were returned to the queue. */
export class RetriedLetters {
  readonly #deadLetters: DeadLetters;
  readonly #onNotice: (text: string) => void;
  #problem = "";
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param onNotice receives a sentence when letters cannot be accepted, once until that changes */
  constructor(deadLetters: DeadLetters, onNotice: (text: string) => void = () => undefined) {
    this.#onNotice = onNotice;
    this.#deadLetters = deadLetters;
  }

  /** @param admit adds one to the queue; where it fails, it is tried again at the next check */
  start(admit: Parameters<DeadLetters["acceptRetried"]>[0]): void {
    const look = async (): Promise<void> => {
      const problem = await this.#deadLetters.acceptRetried(admit).then(() => "", messageOf);
      if (problem !== "" && problem !== this.#problem) this.#onNotice(problem);
      this.#problem = problem;
      if (!this.#isStopped) this.#timer = setTimeout(() => void look(), 3000).unref();
    };
    void look();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
