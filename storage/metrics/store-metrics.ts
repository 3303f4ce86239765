import type { Database } from "../engine/database.ts";
import type { CommandEvent } from "../queue/events.ts";
import type { MaintenanceEvent } from "../lifecycle/events.ts";
import type { QueueEntry } from "../queue/entry.ts";
import type { DeadLetter } from "../queue/dead-letters.ts";
import type { Clock } from "../time.ts";
import type { Counter } from "./counter.ts";
import { AdminMetrics } from "./families/admin.ts";
import { CommandMetrics, type FollowedFigures, type MeasuredQueue } from "./families/commands.ts";
import { DeadLetterMetrics } from "./families/dead-letters.ts";
import { historyMetrics } from "./families/history.ts";
import { poolMetrics } from "./families/pools.ts";
import { populationMetrics } from "./families/population.ts";
import {
  type DiskFigures,
  diskMetrics,
  recordStored,
  type StorageInstruments,
  storageMetrics,
} from "./families/storage.ts";
import { Registry } from "./registry.ts";

/** The parts of a store that are measured. */
export interface Measured {
  readonly clock: Clock;
  readonly database: Database;
  readonly queue: MeasuredQueue;
  /** The position in a log that other stores follow too; undefined: there is none. */
  readonly log?: (() => FollowedFigures | undefined) | undefined;
  /** The data directory; undefined: there is none. */
  readonly disk?: DiskFigures | undefined;
  /** Commands that an earlier process left in the queue. */
  readonly left: readonly QueueEntry[];
  /** The running maintenance operation, in PuppetDB's words; empty if there is none. */
  readonly cleaning: () => string;
}

/** All metrics of a store; a service adds its own. */
export class StoreMetrics {
  readonly registry = new Registry();
  readonly #commands: CommandMetrics;
  readonly #storage: StorageInstruments;
  readonly #letters: DeadLetterMetrics;
  readonly #admin: AdminMetrics;

  constructor({ clock, database, queue, log, disk, left, cleaning }: Measured) {
    this.#commands = new CommandMetrics(this.registry, clock);
    this.#commands.observe(queue);
    if (log !== undefined) this.#commands.observeLog(log);
    for (const entry of left) this.#commands.loaded(entry);
    this.#storage = storageMetrics(this.registry);
    if (disk !== undefined) diskMetrics(this.registry, disk);
    this.#letters = new DeadLetterMetrics(this.registry);
    this.#admin = new AdminMetrics(this.registry, this.#storage, cleaning);
    populationMetrics(this.registry, database);
    historyMetrics(this.registry, database);
    poolMetrics(this.registry, database);
  }

  /** Counts damage in the files of a data directory. */
  get damages(): Counter {
    return this.#storage.damages;
  }

  /** Counts an event of a command. */
  command(event: CommandEvent): void {
    this.#commands.record(event);
    recordStored(this.#storage, event);
    if (event.kind === "discarded" && event.place !== undefined) this.#letters.added(event.entry);
  }

  /** Counts the existing dead letters. */
  lettersFound(letters: readonly DeadLetter[]): void {
    for (const letter of letters) this.#letters.added(letter);
  }

  /** Counts an event of maintenance. */
  maintenance(event: MaintenanceEvent): void {
    if (event.kind === "ended") this.#admin.ran(event.operation, event.ms);
  }
}
