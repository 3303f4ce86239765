import { setTimeout as delay } from "node:timers/promises";
import { memoryBudget } from "../memory/budget.ts";
import { isOutOfMemory } from "./error-classes.ts";
import { engineMemory, FREED_AT_ONCE } from "./instance.ts";
import type { Reader } from "./reader.ts";
import { answerOf, rowsOf } from "./statements.ts";

/** Bytes of the file that may stay in memory during bulk reads; the engine itself would keep everything that fits. */
const KEPT_OF_FILE = 32 * 1024 * 1024;

/** Milliseconds between checks of that limit. */
const LOOK = 50;

/**
 * Part of the engine's limit that a checkpoint may use in addition, because running queries may use all of the limit.
 */
const ROOM = 0.75;

/**
 * A query whose hash table of 5 MB stays in memory until its result is read to the end: with 64 processors the engine's
 * count may be 2 MB too low.
 */
const HOLDING = {
  sql: "SELECT b.n::VARCHAR FROM range(65536) a(n) LEFT JOIN (SELECT range // 3 AS n FROM range(65536)) b USING (n)",
  values: [],
};

/** Part of the engine's limit above which queries leave too little memory for a checkpoint. */
const NEARLY = 0.5;

/** The engine's tags for memory of tables: pages of the file, and rows committed since the last checkpoint. */
const OF_TABLES = "('BASE_TABLE', 'IN_MEMORY_TABLE', 'OVERFLOW_STRINGS')";

/** Runs a function with a connection. */
type Lend = <T>(use: (reader: Reader) => Promise<T>) => Promise<T>;

/** What the engine has in memory, and how it is made to free it. */
export class EngineMemory {
  readonly #lend: Lend;
  readonly #hasFile: boolean;
  /** Running bulk reads. */
  #bulks = 0;
  #isLooking = false;
  /** Bytes that the engine may use now in addition to its limit. */
  #room = 0;
  /** Resolves at the end of the checkpoint that {@link withRoom} runs; undefined: none runs. */
  #checkpointing: Promise<void> | undefined;
  /** Results that are being read with more memory than the limit. */
  #large = 0;

  /** @param hasFile whether the database is in a file; otherwise its data cannot be freed */
  constructor(lend: Lend, hasFile: boolean) {
    this.#lend = lend;
    this.#hasFile = hasFile;
  }

  /**
   * Yields what `reading` yields, a large amount: memory that the engine has used for it returns to the system at the
   * end rather than continuously, and little of the file stays in memory.
   */
  async *inBulk<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    const free = "allocator_bulk_deallocation_flush_threshold";
    this.#bulks++;
    try {
      if (this.#bulks === 1) {
        await this.#set(`${free} = '${FREED_AT_ONCE.inBulk}'`);
        void this.#look();
      }
      yield* reading;
    } finally {
      if (--this.#bulks === 0) {
        // A store that is closed, or whose file is to be reopened, has nothing to free.
        await this.#set(`${free} = '${FREED_AT_ONCE.usual}'`).catch(() => undefined);
        await this.emptyAllocators().catch(() => undefined);
      }
    }
  }

  /** Limits the part of the file in memory while there are bulk reads. */
  async #look(): Promise<void> {
    if (!this.#hasFile || this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#bulks > 0) {
        await delay(LOOK, undefined, { ref: false });
        if (this.#bulks > 0 && (await this.#ofFile()) > KEPT_OF_FILE) await this.letGo();
      }
    } catch {
      // The store is being closed.
    } finally {
      this.#isLooking = false;
    }
  }

  /**
   * Makes the engine free all cached parts of the file that are not being read. The limit is set to one byte: the
   * engine frees what it can, fails to reach the limit and keeps its old one. A hash table must be in memory meanwhile;
   * otherwise the engine could reach the limit between two statements, and all other statements would get no memory.
   */
  async letGo(): Promise<void> {
    if (!this.#hasFile) return;
    await this.#lend(async (reader) => {
      const held = answerOf(reader, HOLDING, {});
      await held.next();
      await this.#set("memory_limit = '1B'").catch(() => undefined);
      while ((await held.next()).done !== true);
    });
  }

  /** Whether a query may use more memory than the engine's limit. */
  get hasMore(): boolean {
    return !memoryBudget().isWatched;
  }

  /** Yields what `reading` yields, with a higher limit for the engine: an eighth of the process's limit more. */
  async *withMore<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    this.#large++;
    try {
      await this.emptyAllocators();
      yield* reading;
    } finally {
      this.#large--;
      // A file that must be reopened is opened with the usual limit.
      await this.emptyAllocators().catch(() => undefined);
    }
  }

  /**
   * Runs work that must not fail for lack of memory, with a higher limit: after a checkpoint without memory the file
   * must be reopened.
   */
  async withRoom<T>(work: () => Promise<T>): Promise<T> {
    // Where memory is not limited, queries rarely use all of the engine's limit.
    if (!memoryBudget().isWatched) return work();
    const over = Promise.withResolvers<void>();
    this.#checkpointing = over.promise;
    this.#room = Math.floor(memoryBudget().engine * ROOM);
    await this.emptyAllocators().catch(() => undefined);
    try {
      return await work();
    } finally {
      this.#room = 0;
      this.#checkpointing = undefined;
      over.resolve();
      // The file may have to be reopened.
      await this.emptyAllocators().catch(() => undefined);
    }
  }

  /** Resolves when queries may begin: a query that begins during a checkpoint would use the memory that it needs. */
  async mayQuery(): Promise<void> {
    while (this.#checkpointing !== undefined) await this.#checkpointing;
  }

  /** Whether queries use so much of the engine's memory that a checkpoint may get none, where memory is limited. */
  async isNearlyUsed(): Promise<boolean> {
    const { isWatched, engine } = memoryBudget();
    if (!this.#hasFile || !isWatched) return false;
    const sql = `SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag NOT IN ${OF_TABLES}`;
    try {
      const [row] = await this.#lend(({ connection }) => rowsOf<{ bytes: number }>(connection, sql, []));
      return (row?.bytes ?? 0) > engine * NEARLY;
    } catch (error) {
      if (isOutOfMemory(error)) return true;
      throw error;
    }
  }

  /** Makes the allocators of the engine and the system return their free memory. */
  async emptyAllocators(): Promise<void> {
    // Setting the limit makes the engine empty them.
    const room = this.#large > 0 ? Math.max(this.#room, Math.floor(memoryBudget().limit.bytes / 8)) : this.#room;
    await this.#set(`memory_limit = '${engineMemory(this.#hasFile, room)}'`);
  }

  /** Bytes of the file that are in memory. */
  async #ofFile(): Promise<number> {
    if (!this.#hasFile) return 0;
    const sql = "SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'BASE_TABLE'";
    const [row] = await this.#lend(({ connection }) => rowsOf<{ bytes: number }>(connection, sql, []));
    return row?.bytes ?? 0;
  }

  /** Changes a setting of the whole engine. */
  async #set(setting: string): Promise<void> {
    await this.#lend(({ connection }) => connection.run(`SET GLOBAL ${setting}`));
  }
}
