import { CensusError, messageOf } from "#storage/errors.ts";
import { oneLine } from "../errors.ts";
import { Refusal } from "../sources/server.ts";
import { pause } from "./pause.ts";

/** Milliseconds that a server may take to answer: a connection that is lost without notice would wait forever. */
const PATIENCE = 120_000;

/** Reads from a server that may be restarted: repeats what fails once it has succeeded, and says so on stderr. */
export class Persistent {
  readonly #name: string;
  readonly #signal: AbortSignal;
  #hasAnswered = false;

  /**
   * @param name the server's name in messages
   * @param signal ends waiting
   */
  constructor(name: string, signal: AbortSignal) {
    this.#name = name;
    this.#signal = signal;
  }

  /**
   * @param read called again after an error that may pass; what it has done before is its own affair
   * @throws errors that do not pass, such as an invalid query; any error as long as nothing has succeeded
   */
  async run<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    let failures = 0;
    for (let wait = 500; ; wait = Math.min(wait * 2, 15_000)) {
      try {
        const result = await this.#inTime(read);
        if (failures > 0) this.#say("answers again");
        this.#hasAnswered = true;
        return result;
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!this.#hasAnswered || !isPassing(error)) throw error;
        if (failures++ === 0) this.#say(`no answer (${oneLine(messageOf(error))}); trying again`);
      }
      await pause(wait, this.#signal);
      this.#signal.throwIfAborted();
    }
  }

  async #inTime<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = AbortSignal.timeout(PATIENCE);
    try {
      return await read(AbortSignal.any([this.#signal, late]));
    } catch (error) {
      if (!late.aborted) throw error;
      throw new CensusError("timeout", `no response within ${PATIENCE / 1000} s`, { cause: error });
    }
  }

  #say(text: string): void {
    process.stderr.write(`census: ${this.#name}: ${text}\n`);
  }
}

/** Whether the same request may succeed later: the server was not reached, was ended, or is overloaded. */
function isPassing(error: unknown): boolean {
  if (error instanceof Refusal) return error.status >= 500 || error.status === 429;
  return error instanceof CensusError && error.code !== "bad-input";
}
