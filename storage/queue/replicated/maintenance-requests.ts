import { randomUUID } from "node:crypto";
import type { Maintenance, Turn } from "../../lifecycle/maintenance.ts";
import type { Clock } from "../../time.ts";
import type { ReplicatedLog } from "../entry.ts";

/** Maintenance that this process has added to a log that several stores follow, until this store has done it. */
export class MaintenanceRequests {
  readonly #clock: Clock;
  /** Callers that wait, by the mark of the entry. */
  readonly #waiting = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Adds maintenance to the log; resolves when this store has done it, or at once if it is a periodic run.
   * @throws CensusError "unavailable" when the log could not store it
   */
  async add(log: ReplicatedLog, change: Maintenance, turn?: Turn): Promise<void> {
    const mark = randomUUID();
    const done = Promise.withResolvers<void>();
    this.#waiting.set(mark, done.resolve);
    try {
      const isAdded = await log.appendMaintenance({ mark, asOf: this.#clock.now(), change }, turn);
      if (isAdded && turn === undefined) await done.promise;
    } finally {
      this.#waiting.delete(mark);
    }
  }

  /** This store has done what an entry requests. */
  done(mark: string): void {
    this.#waiting.get(mark)?.();
  }

  /** Nothing more is done: callers do not wait any longer. */
  close(): void {
    for (const resolve of this.#waiting.values()) resolve();
  }
}
