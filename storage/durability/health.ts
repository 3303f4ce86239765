import { CensusError } from "../errors.ts";
import type { Counter } from "../metrics/counter.ts";
import type { Database } from "../engine/database.ts";

/** A file that cannot be opened anew for so long is more than a passing fault, ms. */
const PASSING = 60_000;

/** How often the file is looked at, ms. */
const LOOK = 5000;

/** What is to be done about damage, as the log says it. */
const REMEDY = "stop the service, run census verify, and restore a backup (see docs/recovery.md)";

export interface HealthOptions {
  readonly database: Database;
  /** Counts what turned out to be damaged. */
  readonly damages: Counter;
  readonly onNotice: (text: string) => void;
  /** Told, once, when the file can be opened anew by another process alone. */
  readonly onGivenUp: (reason: string) => void;
}

/** Reasons that may pass while the process waits: another one would meet them, too. */
const OF_DISK =
  /No space left|Input\/output error|Read-only file system|quota exceeded|Too many open files|Cannot allocate memory|while the store was open/i;

/** So many attempts have to fail for other reasons. */
const ATTEMPTS = 5;

/** Whether a store's file is as the engine takes it to be; where it is not, nothing more is accepted. */
export class Health {
  readonly #options: HealthOptions;
  readonly #looking: NodeJS.Timeout;
  /** The engine's words of the first damage. */
  #damage: string | undefined;
  /** Places that were reported. */
  readonly #reported = new Set<string>();
  /** Why the engine's file is not the one that has its name. */
  #refusal: string | undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
    options.database.onDamage = (reason) => this.#damaged(reason);
    this.#looking = setInterval(() => this.look(), LOOK).unref();
  }

  /** Why nothing is accepted; undefined where nothing is known to be wrong. */
  get problem(): string | undefined {
    const { place, loss } = this.#options.database;
    if (this.#damage !== undefined) return `${place}: is damaged: ${this.#damage}`;
    if (this.#refusal !== undefined) return this.#refusal;
    if (loss === undefined || performance.now() - loss.since < PASSING) return undefined;
    return `${place}: cannot be opened anew after a fault: ${loss.reason}`;
  }

  /** @throws CensusError "unavailable" where there is a {@link problem} */
  check(): void {
    const { problem } = this;
    if (problem !== undefined) throw new CensusError("unavailable", problem);
  }

  /** Looks whether the file is still the one that was opened, and opens it anew where it has to be. */
  look(): void {
    const { database, onNotice } = this.#options;
    const { loss } = database;
    if (loss !== undefined) void database.revive().catch(() => undefined);
    if (loss !== undefined && loss.attempts >= ATTEMPTS && !OF_DISK.test(loss.latest)) {
      this.close();
      this.#options.onGivenUp(loss.latest);
    }
    const before = this.#refusal;
    this.#refusal = database.refusal;
    if (this.#refusal === before) return;
    if (this.#refusal === undefined) onNotice(`${database.place}: is the file that was opened, again`);
    else onNotice(`${this.#refusal}; nothing is stored. Put the file back, or start the service anew`);
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #damaged(reason: string): void {
    this.#damage ??= reason;
    if (this.#reported.has(reason)) return;
    this.#reported.add(reason);
    this.#options.damages.add();
    this.#options.onNotice(
      `${this.#options.database.place}: is damaged: ${reason}; no commands are accepted: ${REMEDY}`,
    );
  }
}
