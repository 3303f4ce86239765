import { setTimeout as delay } from "node:timers/promises";
import { memoryBudget } from "../memory/budget.ts";
import { isOutOfMemory } from "./error-classes.ts";
import type { DatabaseOptions } from "./instance.ts";
import type { Reader } from "./reader.ts";
import { allocatorFlush, engineMemory, LEAST_MEMORY, LONG_LIVED_HASH_TABLE, memoryLimit } from "./settings.ts";
import { streamRows, allRows } from "./statements.ts";

/** The engine's tags for memory of tables: pages of the file, and rows committed since the last checkpoint. */
const OF_TABLES = "('BASE_TABLE', 'IN_MEMORY_TABLE', 'OVERFLOW_STRINGS')";

/** Runs a function with a connection. */
type UseReader = <T>(use: (reader: Reader) => Promise<T>) => Promise<T>;

/** What the engine has in memory, and how it is made to free it. */
export class EngineMemory {
  readonly #useReader: UseReader;
  readonly #path: string | undefined;
  readonly #isReadOnly: boolean;
  /** Running bulk reads. */
  #bulkReads = 0;
  /** Running reads after which memory returns to the system, the bulk reads among them. */
  #freeingAtEnd = 0;
  #isLimiting = false;
  /** Bytes that the engine may use now in addition to its limit. */
  #reserve = 0;
  /** Results that are being read with more memory than the limit. */
  #largeReads = 0;

  constructor(lend: UseReader, { path, readOnly = false }: DatabaseOptions) {
    this.#useReader = lend;
    this.#path = path;
    this.#isReadOnly = readOnly;
  }

  /**
   * Yields what `reading` yields, a large amount: memory that the engine has used for it returns to the system at the
   * end rather than continuously, and little of the file stays in memory.
   */
  async *inBulk<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    this.#bulkReads++;
    try {
      void this.#limitFileCache();
      yield* this.freeingAtEnd(reading);
    } finally {
      this.#bulkReads--;
    }
  }

  /** Yields what `reading` yields: memory that the engine has used for it returns to the system at the end. */
  async *freeingAtEnd<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    const readOnly = this.#isReadOnly;
    this.#freeingAtEnd++;
    try {
      if (this.#freeingAtEnd === 1) await this.#set(allocatorFlush({ readOnly, inBulk: true }));
      yield* reading;
    } finally {
      if (--this.#freeingAtEnd === 0) {
        // A store that is closed, or whose file is to be reopened, has nothing to free.
        await this.#set(allocatorFlush({ readOnly, inBulk: false })).catch(() => undefined);
        await this.emptyAllocators().catch(() => undefined);
      }
    }
  }

  /** Limits the part of the file in memory while there are bulk reads. */
  async #limitFileCache(): Promise<void> {
    if (this.#path === undefined || this.#isLimiting) return;
    this.#isLimiting = true;
    try {
      while (this.#bulkReads > 0) {
        await delay(50, undefined, { ref: false });
        // The engine itself would keep everything that fits.
        if (this.#bulkReads > 0 && (await this.#fileCacheBytes()) > 32 * 1024 * 1024) await this.freeFileCache();
      }
    } catch {
      // The store is being closed.
    } finally {
      this.#isLimiting = false;
    }
  }

  /** Makes the engine free all cached parts of the file that are not being read. */
  async freeFileCache(): Promise<void> {
    if (this.#path === undefined) return;
    await this.#useReader(async (reader) => {
      const held = streamRows(reader, LONG_LIVED_HASH_TABLE, {});
      await held.next();
      await this.#set(LEAST_MEMORY).catch(() => undefined);
      while ((await held.next()).done !== true);
    });
  }

  /**
   * Whether what the engine keeps about changed rows takes much of its memory: at least 256 KB for each row group to which several
   * transactions have added rows, and up to 32 KB for each 2,048 rows of which any was deleted. It forgets this only when the file
   * is opened.
   */
  async isFullOfChanges(): Promise<boolean> {
    if (this.#path === undefined) return false;
    const most = engineMemory(this.#path) * 0.6;
    // The cached parts of the file count as well, until they are freed.
    if ((await this.#fileCacheBytes()) < most) return false;
    await this.freeFileCache();
    return (await this.#fileCacheBytes()) >= most;
  }

  /** Yields what `reading` yields, with a higher limit for the engine: {@link MemoryBudget.engineExtra}. */
  async *withExtraMemory<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    this.#largeReads++;
    try {
      await this.emptyAllocators();
      yield* reading;
    } finally {
      this.#largeReads--;
      // A file that must be reopened is opened with the usual limit.
      await this.emptyAllocators().catch(() => undefined);
    }
  }

  /**
   * Runs work that must not fail for lack of memory, with a higher limit: after a checkpoint without memory the file
   * must be reopened.
   */
  async withReserve<T>(work: () => Promise<T>): Promise<T> {
    if (this.#path === undefined) return work();
    this.#reserve = (await this.#queryBytes().catch(() => 0)) + memoryBudget().engineReserve;
    await this.emptyAllocators().catch(() => undefined);
    try {
      return await work();
    } finally {
      this.#reserve = 0;
      // The file may have to be reopened.
      await this.emptyAllocators().catch(() => undefined);
    }
  }

  /** Bytes that queries use; all of the limit where there is no memory to find out. */
  async #queryBytes(): Promise<number> {
    const sql = `SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag NOT IN ${OF_TABLES}`;
    try {
      const [row] = await this.#useReader(({ connection }) => allRows<{ bytes: number }>(connection, sql, []));
      return row?.bytes ?? 0;
    } catch (error) {
      if (isOutOfMemory(error)) return memoryBudget().engine;
      throw error;
    }
  }

  /** Makes the allocators of the engine and the system return their free memory. */
  async emptyAllocators(): Promise<void> {
    const room = this.#largeReads > 0 ? Math.max(this.#reserve, memoryBudget().engineExtra) : this.#reserve;
    await this.#set(memoryLimit(this.#path, room));
  }

  /** Bytes of the file that are in memory. */
  async #fileCacheBytes(): Promise<number> {
    if (this.#path === undefined) return 0;
    const sql = "SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'BASE_TABLE'";
    const [row] = await this.#useReader(({ connection }) => allRows<{ bytes: number }>(connection, sql, []));
    return row?.bytes ?? 0;
  }

  /** Changes a setting of the whole engine. */
  async #set(setting: string): Promise<void> {
    await this.#useReader(({ connection }) => connection.run(setting));
  }
}
