import { CensusError } from "../errors.ts";
import { remedyOf, RESTORE } from "../remedy.ts";
import type { Counter } from "../metrics/counter.ts";
import type { Database } from "../engine/database.ts";

/** Milliseconds after which a file that cannot be reopened counts as a lasting error. */
const LASTING = 60_000;

/** Milliseconds between checks of the file. */
const INTERVAL = 5000;

export interface HealthOptions {
  readonly database: Database;
  /** Counts damaged places. */
  readonly damages: Counter;
  readonly onNotice: (text: string) => void;
  /** Called once, when only another process can reopen the file. */
  readonly onGivenUp: (reason: string) => void;
}

/** Errors of the disk: they may pass while the process waits, and another process would get them, too. */
const OF_DISK =
  /No space left|Input\/output error|Read-only file system|quota exceeded|Too many open files|Cannot allocate memory|while the store was open/i;

/** Attempts that must fail for other reasons before the process gives up. */
const ATTEMPTS = 5;

/** Watches the database file of a store: if it is damaged, replaced or cannot be opened, no command is accepted. */
export class Health {
  readonly #options: HealthOptions;
  readonly #looking: NodeJS.Timeout;
  /** The engine's message about the first damage. */
  #damage: string | undefined;
  /** Messages that were reported. */
  readonly #reported = new Set<string>();
  /** Why the file that the engine has open is not the one of that name. */
  #refusal: string | undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
    options.database.onDamage = (reason) => this.#damaged(reason);
    this.#looking = setInterval(() => this.check(), INTERVAL).unref();
  }

  /** Why no command is accepted; undefined if nothing is known to be wrong. */
  get problem(): string | undefined {
    const { place, loss } = this.#options.database;
    if (this.#damage !== undefined) return `${place}: is damaged: ${this.#damage}. ${RESTORE}`;
    if (this.#refusal !== undefined) return this.#refusal;
    if (loss === undefined || performance.now() - loss.since < LASTING) return undefined;
    return `${place}: cannot be reopened after an error: ${loss.latest}; ${remedyOf(new Error(loss.latest))}`;
  }

  /** @throws CensusError "unavailable" if there is a {@link problem} */
  refuse(): void {
    const { problem } = this;
    if (problem !== undefined) throw new CensusError("unavailable", problem);
  }

  /** Checks whether the file is still the one that was opened, and reopens it after an error. */
  check(): void {
    const { database, onNotice } = this.#options;
    const { loss } = database;
    if (loss !== undefined) void database.revive().catch(() => undefined);
    if (loss !== undefined && loss.attempts >= ATTEMPTS && !OF_DISK.test(loss.latest)) {
      this.close();
      this.#options.onGivenUp(loss.latest);
    }
    const before = this.#refusal;
    this.#refusal = database.blockReason;
    if (this.#refusal === before) return;
    if (this.#refusal === undefined) onNotice(`${database.place}: is again the file that was opened`);
    else onNotice(`${this.#refusal}. Nothing is stored meanwhile`);
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #damaged(reason: string): void {
    this.#damage ??= reason;
    if (this.#reported.has(reason)) return;
    this.#reported.add(reason);
    this.#options.damages.add();
    const { database, onNotice } = this.#options;
    onNotice(`${database.place}: is damaged: ${reason}; no commands are accepted. ${RESTORE}`);
  }
}
