import type { Store } from "#storage/store.ts";
import type { Clock, Timestamp } from "#storage/time.ts";
import { emptyStore, time } from "#test/fixture-store.ts";
import type { Timed } from "./random-commands.ts";

/** A clock that a test sets. */
class SetClock implements Clock {
  #now = time("2026-11-19T00:00:00Z");

  now(): Timestamp {
    return this.#now;
  }

  set(now: Timestamp): void {
    this.#now = now;
  }
}

/** A store in memory that receives commands at their times. */
export class TimedStore {
  readonly store: Store;
  readonly #clock: SetClock;

  private constructor(store: Store, clock: SetClock) {
    this.store = store;
    this.#clock = clock;
  }

  static async open(): Promise<TimedStore> {
    const clock = new SetClock();
    return new TimedStore(await emptyStore({ clock }), clock);
  }

  /** Stores the commands after the present time, and lets it be another. */
  async goOn(commands: readonly Timed[], end: Timestamp): Promise<void> {
    const begin = this.#clock.now();
    for (const { at, submission } of commands) {
      if (time(at) <= begin || time(at) > end) continue;
      this.#clock.set(time(at));
      await this.store.submit(submission);
    }
    this.#clock.set(end);
  }
}
