import { setTimeout as pause } from "node:timers/promises";
import type { EngineFile } from "./engine-file.ts";
import { isOutOfMemory } from "./error-classes.ts";
import type { EngineMemory } from "./memory.ts";
import type { ReaderPool } from "./reader-pool.ts";
import type { Revival } from "./revival.ts";

/** What it works on. */
interface Parts {
  readonly file: EngineFile;
  readonly readers: ReaderPool;
  readonly memory: EngineMemory;
  readonly revival: Revival;
}

/**
 * Opens the file anew where the engine keeps so much about changed rows that too little memory is left for anything else
 * ({@link EngineMemory.isFullOfChanges}). All of it happens in the writer's turn. Opening takes a few hundredths of a second, for
 * which queries wait.
 */
export class Renewal {
  readonly #parts: Parts;
  #checkpoints = 0;
  #latest = -Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** To be called when everything is in the file. Where a query runs for longer, it is tried again later. */
  async afterCheckpoint(): Promise<void> {
    // At most every ten minutes: after it, scans read again what the file says about deleted rows.
    if (++this.#checkpoints % 16 !== 0 || performance.now() - this.#latest < 600_000) return;
    const { file, readers } = this.#parts;
    if (!(await this.#isFull())) return;
    // Also where it does not succeed: new queries wait meanwhile.
    this.#latest = performance.now();
    const resume = readers.pause();
    try {
      if (!(await this.#areReadersIdle())) return;
      readers.end();
      await file.renew();
    } finally {
      resume();
    }
  }

  /** To be called when a transaction got no memory: as long as none can be committed, no checkpoint is due. */
  async afterOutOfMemory(): Promise<void> {
    const { file, revival } = this.#parts;
    if (file.loss !== undefined || !(await this.#isFull())) return;
    this.#latest = performance.now();
    file.markLost(new Error("the engine had no memory left"));
    await revival.afterLoss();
  }

  /** Also where there is no memory left to find out. */
  async #isFull(): Promise<boolean> {
    return this.#parts.memory.isFullOfChanges().catch(isOutOfMemory);
  }

  async #areReadersIdle(): Promise<boolean> {
    const { readers } = this.#parts;
    // New queries wait for as long.
    const end = performance.now() + 1000;
    while (readers.busy > 0 && performance.now() < end) await pause(5);
    return readers.busy === 0;
  }
}
