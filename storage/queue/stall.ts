import { Rewound } from "../ingest/write/transactions.ts";
import type { Attempts } from "./attempts.ts";
import { BackOff } from "./back-off.ts";
import type { CommandListener } from "./events.ts";
import { isTransient } from "./transient-errors.ts";

/** Halts the queue while its work fails for a reason that no command causes and that may pass, such as a full disk. */
export class Stall {
  readonly #backOff = new BackOff();
  readonly #attempts: Attempts | undefined;
  readonly #onEvent: CommandListener;

  constructor({ attempts, onEvent }: { attempts?: Attempts | undefined; onEvent: CommandListener }) {
    this.#attempts = attempts;
    this.#onEvent = onEvent;
  }

  /** Whether nothing can be stored at present. */
  get isActive(): boolean {
    return this.#backOff.isNeeded;
  }

  /**
   * Repeats `work` while it fails with a transient error.
   * @throws what `work` throws otherwise, and {@link BackOff.cancelled} after {@link cancel}
   */
  async retry<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        await this.#attempts?.resume();
        const result = await work();
        this.#backOff.reset();
        return result;
      } catch (error) {
        if (error instanceof Rewound || !isTransient(error)) throw error;
        await this.#attempts?.pause();
        await this.#pause(error as Error);
      }
    }
  }

  /**
   * Repeats `work` while it fails: nothing may be stored before it.
   * @param isHopeless whether an error is one that other attempts would have too
   * @throws such an error; Rewound; {@link BackOff.cancelled} after {@link cancel}
   */
  async insist<T>(work: () => Promise<T>, isHopeless: (error: unknown) => boolean = () => false): Promise<T> {
    for (;;) {
      try {
        return await this.retry(work);
      } catch (error) {
        if (error instanceof Rewound || error === BackOff.cancelled || isHopeless(error)) throw error;
        await this.#pause(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  /** Waits for the log to store commands, and reports an error of the log: the commands are not accepted then. */
  async whileAccepting<T>(appending: Promise<T>): Promise<T> {
    try {
      return await appending;
    } catch (error) {
      if (error instanceof Error && isTransient(error)) this.#onEvent({ kind: "refused", error });
      throw error;
    }
  }

  async #pause(error: Error): Promise<void> {
    const wait = this.#backOff.pause();
    this.#onEvent({ kind: "stalled", error, seconds: wait.seconds });
    await wait.over;
  }

  /** Ends all waiting, now and later. */
  cancel(): void {
    this.#backOff.cancel();
  }
}
