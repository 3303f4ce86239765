import type { Database } from "./engine/database.ts";
import type { Ingester } from "./ingest/ingester.ts";
import { collectGarbage } from "./ingest/threads/heap.ts";
import type { Lifecycle } from "./lifecycle/lifecycle.ts";
import { guardMemory, isMemoryTight } from "./memory/guard.ts";
import type { CommandLog } from "./queue/entry.ts";

interface Parts {
  readonly database: Database;
  readonly ingester: Ingester;
  readonly lifecycle: Lifecycle;
  /** Undefined: it reserves nothing here. */
  readonly log: CommandLog | undefined;
}

/** Frees what a store has in memory and does not need: while it works and memory is scarce, and when no commands come. */
export class StoreMemory {
  readonly #parts: Parts;
  readonly #unguard: () => void;
  /** When garbage was last collected to free memory, as `performance.now()`. */
  #collected = -Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#unguard = guardMemory((isUrgent) => this.#free(isUrgent));
  }

  /**
   * Frees memory and files that only commands need, makes a checkpoint, and compacts the database file if it has grown much.
   * @param isLong whether commands are not expected soon: then the threads that prepare them end as well
   */
  async rest(isLong: boolean): Promise<void> {
    const { database, ingester, lifecycle, log } = this.#parts;
    await (isLong ? ingester.endIdleThreads() : ingester.shrink());
    collectGarbage();
    await database.checkpoint();
    await log?.freeReserved();
    if (!isMemoryTight()) await lifecycle.compactGrown();
    await database.release();
  }

  /** Frees memory that is not in use, while the store works. */
  async #free(isUrgent: boolean): Promise<void> {
    const { database, ingester } = this.#parts;
    await database.emptyAllocators();
    // This blocks the event loop.
    if (!isUrgent && performance.now() - this.#collected < 1000) return;
    collectGarbage();
    await ingester.shrink();
    await database.emptyAllocators();
    this.#collected = performance.now();
  }

  /** Ends the reaction to scarce memory. */
  close(): void {
    this.#unguard();
  }
}
