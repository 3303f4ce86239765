import { setTimeout as delay } from "node:timers/promises";
import { memoryBudget } from "../memory/budget.ts";
import { isOutOfMemory } from "./error-classes.ts";
import { engineMemory, FREED_AT_ONCE } from "./instance.ts";
import type { Reader } from "./reader.ts";
import { answerOf, rowsOf } from "./statements.ts";

/** Of the file this much stays in memory while much is read (bytes), where the engine would keep all that fits … */
const KEPT_OF_FILE = 32 * 1024 * 1024;

/** … and it is looked at so often, ms. */
const LOOK = 50;

/** Part of its usual memory that a checkpoint may use besides, for queries that run already may use all of that. */
const ROOM = 0.75;

/**
 * Holds a hash table of 5 MB for as long as its answer is not read to the end: for 64 processors the engine may count 2 MB
 * less than there is.
 */
const HOLDING = {
  sql: "SELECT b.n::VARCHAR FROM range(65536) a(n) LEFT JOIN (SELECT range // 3 AS n FROM range(65536)) b USING (n)",
  values: [],
};

/** Part of its memory that the engine may use for queries while a checkpoint is made. */
const NEARLY = 0.5;

/** What the engine keeps of tables, by its names: of the file, and of what was committed since the last checkpoint. */
const OF_TABLES = "('BASE_TABLE', 'IN_MEMORY_TABLE', 'OVERFLOW_STRINGS')";

/** Lends a connection. */
type Lend = <T>(use: (reader: Reader) => Promise<T>) => Promise<T>;

/** What the engine keeps in memory, and how it is made to give it back. */
export class EngineMemory {
  readonly #lend: Lend;
  readonly #hasFile: boolean;
  /** Readers of much, at this moment. */
  #bulks = 0;
  #isLooking = false;
  /** Bytes that the engine may use besides, at this moment. */
  #room = 0;
  /** Resolves when the checkpoint is over that is made with {@link withRoom}; undefined: none is. */
  #checkpointing: Promise<void> | undefined;
  /** Answers that are being read which need more than the engine may use. */
  #large = 0;

  /** @param hasFile whether the database is in a file; what is in memory alone has nowhere else to be */
  constructor(lend: Lend, hasFile: boolean) {
    this.#lend = lend;
    this.#hasFile = hasFile;
  }

  /**
   * Yields what `reading` yields, of which there is much: memory that the engine has used for it goes back to the system at
   * the end rather than all along, and what is kept of the file stays small.
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
        // A store that is closed, or whose file is to be reopened, has nothing to give back.
        await this.#set(`${free} = '${FREED_AT_ONCE.usual}'`).catch(() => undefined);
        await this.emptyAllocators().catch(() => undefined);
      }
    }
  }

  /** Has the engine keep no more of the file than it may, as long as there are readers of much. */
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
   * Has the engine let go of all that it keeps of the file and nobody reads just now. It is asked for the impossible: it
   * does that, finds it is not enough, and stays as it was. Something has to be held meanwhile, or between two statements of
   * others it would do, and they would be refused all memory.
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

  /** Whether an answer may be given more memory than the engine may use otherwise. */
  get hasMore(): boolean {
    return !memoryBudget().isWatched;
  }

  /** Yields what `reading` yields, which may use more memory than the engine otherwise: an eighth of what the process has. */
  async *withMore<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    this.#large++;
    try {
      await this.emptyAllocators();
      yield* reading;
    } finally {
      this.#large--;
      // A file that has to be reopened is opened with what the engine usually may use.
      await this.emptyAllocators().catch(() => undefined);
    }
  }

  /**
   * Does what must not fail, with more memory than the engine may use otherwise: a checkpoint that gets none has to have the
   * file reopened.
   */
  async withRoom<T>(work: () => Promise<T>): Promise<T> {
    // Where there is enough, queries hardly ever use all that the engine may use.
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

  /** Resolves when queries may begin: those that began during a checkpoint would take the memory that it needs. */
  async mayQuery(): Promise<void> {
    while (this.#checkpointing !== undefined) await this.#checkpointing;
  }

  /** Whether queries use so much of the engine's memory that a checkpoint may get none, where there is not much of it. */
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

  /** Has the allocators of the process, the engine's and the system's, give back what they have free. */
  async emptyAllocators(): Promise<void> {
    // Told again how much it may use, the engine empties them.
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

  /** Sets what holds for the whole engine. */
  async #set(setting: string): Promise<void> {
    await this.#lend(({ connection }) => connection.run(`SET GLOBAL ${setting}`));
  }
}
