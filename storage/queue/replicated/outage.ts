import { CensusError, messageOf } from "../../errors.ts";

/** Since when a log is out of reach, and why. */
export class Outage {
  #since: number | undefined;
  #reason = "";
  readonly #onChange: (problem: string | undefined) => void;

  /** @param onChange called when an outage begins, with the reason, and when it ends */
  constructor(onChange: (problem: string | undefined) => void) {
    this.#onChange = onChange;
  }

  /** Why the log is out of reach; undefined: it is not. */
  get problem(): string | undefined {
    return this.#since === undefined ? undefined : this.#reason;
  }

  /** Milliseconds since it is out of reach. */
  get ms(): number {
    return this.#since === undefined ? 0 : performance.now() - this.#since;
  }

  /** The error of a command that is not accepted because of it. */
  refusal(): CensusError {
    const { problem = "it is being closed" } = this;
    return new CensusError("unavailable", `the command was not accepted: the command log is out of reach: ${problem}`);
  }

  began(error: unknown): void {
    this.#reason = messageOf(error);
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#onChange(this.#reason);
  }

  ended(): void {
    if (this.#since === undefined) return;
    this.#since = undefined;
    this.#onChange(undefined);
  }
}
