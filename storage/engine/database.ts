import { dirname } from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { CensusError, messageOf } from "../errors.ts";
import type { ChunkPool } from "./appender.ts";
import { copyFolderOf, type DatabaseOptions, makeFolder, openError, openInstance } from "./instance.ts";
import { EngineMemory } from "./memory.ts";
import type { Pool, PoolListener, PoolName } from "./pool.ts";
import { quotedText } from "./quoted-text.ts";
import { Reader } from "./reader.ts";
import type { Rows } from "./rows.ts";
import { Session } from "./session.ts";
import { beginTogether, end, viewOf, type Views } from "./snapshot.ts";
import { OpenTransaction, type Transaction } from "./transaction.ts";
import { answerOf, bound, type ReadOptions, rowsOf, run, type SqlValue, type Statement } from "./statements.ts";

/** How a snapshot is read. */
export interface SnapshotOptions extends ReadOptions {
  /** So many may read at the same time, each through a view of its own; default 1. */
  readonly views?: number;
  /** Much is read: memory that the engine has used goes back to the system at the end rather than all along. */
  readonly inBulk?: boolean;
}

/** How long answers in progress may take to end when the file must be opened anew, ms. */
const REVIVAL = 2000;

/** Connections beyond this many idle ones are closed rather than kept. */
const IDLE_CONNECTIONS = 8;

/**
 * The embedded engine: a pool of connections for reading, one connection for writing.
 * Readers see the last committed state and never wait for the writer.
 */
export class Database {
  /** How the place is called in messages: the file's path, or `memory`. */
  readonly place: string;
  readonly #options: DatabaseOptions;
  readonly #memory: EngineMemory;
  #instance: DuckDBInstance;
  #writer: DuckDBConnection;
  readonly #idle: Reader[] = [];
  /** Those in use, and since when. */
  readonly #busy = new Map<Reader, number>();
  /** Writers that work or wait. */
  #writers = 0;
  /** Told how connections are used. */
  poolListener: PoolListener | undefined;
  /** The file has to be opened anew. */
  #isLost = false;
  readonly #chunks: ChunkPool = new Map();
  #lastWrite: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(options: DatabaseOptions, instance: DuckDBInstance, writer: DuckDBConnection) {
    this.place = options.path ?? "memory";
    this.#options = options;
    this.#memory = new EngineMemory((use) => this.#lending(use), options.path !== undefined);
    this.#instance = instance;
    this.#writer = writer;
  }

  /** @throws CensusError "bad-file" when the file is locked by another process, not writable or not a database */
  static async open(options: DatabaseOptions = {}): Promise<Database> {
    if (options.path !== undefined && options.readOnly !== true) makeFolder(dirname(options.path));
    try {
      return new Database(options, ...(await openInstance(options)));
    } catch (error) {
      throw openError(options.path ?? options.base ?? "memory", error);
    }
  }

  /**
   * Runs a query whose one column is a text and yields rows as the engine produces them. The consumer's pace is the
   * producer's pace; leaving the loop early interrupts the engine.
   */
  async *answer(statement: Statement, options: ReadOptions = {}): AsyncGenerator<Rows> {
    yield* this.#reading((reader) => answerOf(reader, statement, options), options);
  }

  /**
   * Yields what `work` makes of one state of the store: all that it reads is as of its beginning, whatever is committed
   * meanwhile. Leaving the loop early interrupts the engine.
   * @param work is given as many views as the options ask for; fewer where commits come in too often
   */
  async *snapshot<T>(work: (views: Views) => AsyncIterable<T>, options: SnapshotOptions = {}): AsyncGenerator<T> {
    const { views = 1, inBulk = false, ...others } = options;
    const reading = this.#reading(
      async function* (...readers) {
        const begun = await beginTogether(readers);
        const [first, ...rest] = begun;
        yield* work([viewOf(first, others), ...rest.map((reader) => viewOf(reader, others))]);
        await end(begun);
      },
      others,
      views,
    );
    yield* inBulk ? this.#memory.inBulk(reading) : reading;
  }

  /**
   * Yields what `read` yields with connections of its own, which the signal and whoever leaves the loop interrupt.
   * @param count of them
   */
  async *#reading<T>(
    read: (...readers: [Reader, ...Reader[]]) => AsyncIterable<T>,
    options: ReadOptions,
    count = 1,
  ): AsyncGenerator<T> {
    const readers: [Reader, ...Reader[]] = [await this.#acquire()];
    const interrupt = (): void => readers.forEach((reader) => reader.interrupt());
    options.signal?.addEventListener("abort", interrupt);
    let finished = false;
    try {
      while (readers.length < count) readers.push(await this.#acquire());
      options.signal?.throwIfAborted();
      yield* read(...readers);
      finished = true;
    } catch (error) {
      options.signal?.throwIfAborted();
      throw this.#told(error);
    } finally {
      options.signal?.removeEventListener("abort", interrupt);
      if (!finished) interrupt();
      for (const reader of readers) this.#release(reader, finished);
    }
  }

  /** {@link answer}, each batch of rows as strings. */
  async *texts(statement: Statement, options: ReadOptions = {}): AsyncGenerator<string[]> {
    for await (const rows of this.answer(statement, options)) yield rows.texts();
  }

  /**
   * A connection of its own for statements that a user wrote; whoever opens it closes it, before the database.
   * @param setUp statements of our own that are run first, given the name by which qualified tables are found
   */
  async session(setUp: (database: string) => readonly string[]): Promise<Session> {
    if (this.#closed) throw new CensusError("bad-file", `${this.place}: the store is closed`);
    return Session.open(await Reader.open(this.#instance), setUp);
  }

  /** Runs a query and returns all its rows as objects; for small results. */
  async rows<T>(sql: string, values: readonly SqlValue[] = [], options: ReadOptions = {}): Promise<T[]> {
    const reader = await this.#acquire();
    const interrupt = (): void => reader.interrupt();
    options.signal?.addEventListener("abort", interrupt);
    try {
      options.signal?.throwIfAborted();
      if (values.length === 0) return await rowsOf<T>(reader.connection, sql, values);
      const result = await bound(await reader.prepare(sql), values).runAndReadAll();
      return result.getRowObjectsJS() as T[];
    } catch (error) {
      options.signal?.throwIfAborted();
      throw this.#told(error);
    } finally {
      options.signal?.removeEventListener("abort", interrupt);
      this.#release(reader, true);
    }
  }

  /** @throws CensusError "unavailable" when the file was opened to be read only */
  checkWritable(): void {
    if (this.#options.readOnly === true) {
      throw new CensusError("unavailable", `${this.place}: is open for reading only`);
    }
  }

  /** Runs one statement outside of a transaction, after the writes that wait before it. */
  async execute(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    await this.#serially(async () => {
      if (this.#isLost) await this.#reopen();
      await run(this.#writer, sql, values);
    });
  }

  /**
   * Runs `work` in one transaction; what it throws rolls everything back. Transactions run one after another.
   * @param onRollback called when everything is as it was before, and before the next transaction begins
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, onRollback?: () => void): Promise<T> {
    return this.#serially(async () => {
      if (this.#isLost) await this.#reopen();
      const transaction = new OpenTransaction(this.#writer, this.#chunks);
      try {
        const result = await work(transaction);
        await transaction.commit();
        return result;
      } catch (error) {
        await transaction.rollback().catch(() => undefined);
        await this.#revive(error);
        onRollback?.();
        throw error;
      }
    });
  }

  /** Writes the log into the database file, so that the file alone holds everything. */
  async checkpoint(): Promise<void> {
    if (this.place === "memory" || this.#options.readOnly === true) return;
    try {
      await this.execute("CHECKPOINT");
    } catch (error) {
      // Somebody still reads what a table was before it was rewritten; what was committed stays in the log meanwhile.
      if (!/Cannot CHECKPOINT/.test(messageOf(error))) throw error;
    }
  }

  /**
   * Gives back to the system what the engine keeps of the file, to be read again when it is asked for, and what the
   * allocators of the process, the engine's and the system's, have free.
   */
  async release(): Promise<void> {
    if (this.#options.path === undefined) return;
    await this.#serially(() => this.#memory.letGo());
    await this.#memory.emptyAllocators();
  }

  async #lending<T>(use: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = await this.#acquire();
    try {
      return await use(reader);
    } finally {
      this.#release(reader, true);
    }
  }

  /** The one folder besides its own file that the engine may write to; undefined: there is none. */
  get copyFolder(): string | undefined {
    const { path, readOnly = false } = this.#options;
    return path === undefined || readOnly ? undefined : copyFolderOf(path);
  }

  /**
   * Writes what is committed at this moment to a new database file. Others read and write meanwhile.
   * @param path in the {@link copyFolder}
   */
  async copyTo(path: string): Promise<void> {
    const reader = await this.#acquire();
    const { connection } = reader;
    try {
      const [own] = await rowsOf<{ name: string }>(connection, "SELECT current_database() AS name", []);
      await connection.run(`ATTACH ${quotedText(path)} AS copied (STORAGE_VERSION 'latest')`);
      try {
        await connection.run(`COPY FROM DATABASE "${own?.name ?? ""}" TO copied`);
      } finally {
        await connection.run("DETACH copied");
      }
    } catch (error) {
      throw this.#told(error);
    } finally {
      this.#release(reader, true);
    }
  }

  /**
   * What a reader is told who meets a file that has to be opened anew.
   * @param isGone whether any error means that
   */
  #told(error: unknown, isGone = this.#isLost && /Interrupt/.test(messageOf(error))): unknown {
    if (!isGone && !isInvalidated(error)) return error;
    return new CensusError("unavailable", `${this.place}: is being opened anew after a fault`, { cause: error });
  }

  /**
   * After some faults, such as a disk that is full at a checkpoint, the engine refuses everything until the file is
   * opened anew; what has been committed is in its log.
   */
  async #revive(error: unknown): Promise<void> {
    if (this.place === "memory" || !isInvalidated(error)) return;
    this.#isLost = true;
    for (const reader of this.#idle.splice(0)) reader.close();
    for (const reader of this.#busy.keys()) reader.interrupt();
    // Answers that are being read end first; one that nobody reads on cannot harm the file, for it is refused all.
    for (let left = REVIVAL; left > 0 && this.#busy.size > 0; left -= 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.#writer.closeSync();
    this.#instance.closeSync();
    // What keeps the file from being opened may pass: the next transaction tries again.
    try {
      await this.#reopen();
    } catch {
      this.#isLost = true;
    }
  }

  async #reopen(): Promise<void> {
    try {
      [this.#instance, this.#writer] = await openInstance(this.#options);
      this.#isLost = false;
    } catch (error) {
      const text = `${this.place}: cannot be opened anew after a fault: ${messageOf(error)}`;
      throw new CensusError("unavailable", text, { cause: error });
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#lastWrite.catch(() => undefined);
    for (const reader of this.#idle.splice(0)) reader.close();
    if (this.#isLost) return;
    this.#writer.closeSync();
    this.#instance.closeSync();
  }

  async #serially<T>(work: () => Promise<T>): Promise<T> {
    this.checkWritable();
    const asked = performance.now();
    this.#writers++;
    const turn = this.#lastWrite
      .catch(() => undefined)
      .then(async () => {
        const began = performance.now();
        this.poolListener?.waited("write", began - asked);
        try {
          return await work();
        } finally {
          this.#writers--;
          this.poolListener?.used("write", performance.now() - began);
        }
      });
    this.#lastWrite = turn;
    return turn;
  }

  /** How many connections there are, and how many of them work. */
  pool(name: PoolName): Pool {
    if (name === "read") {
      const [active, idle] = [this.#busy.size, this.#idle.length];
      return { active, idle, pending: 0, total: active + idle, max: IDLE_CONNECTIONS, min: 0 };
    }
    const active = Math.min(1, this.#writers);
    return { active, idle: 1 - active, pending: this.#writers - active, total: 1, max: 1, min: 1 };
  }

  async #acquire(): Promise<Reader> {
    if (this.#closed) throw new CensusError("bad-file", `${this.place}: the store is closed`);
    if (this.#isLost) throw new CensusError("unavailable", `${this.place}: is being opened anew after a fault`);
    const asked = performance.now();
    const idle = this.#idle.pop();
    const reader = idle ?? (await this.#newReader());
    const began = performance.now();
    if (idle === undefined) this.poolListener?.created("read", began - asked);
    this.poolListener?.waited("read", began - asked);
    this.#busy.set(reader, began);
    return reader;
  }

  /** The fault may come, or the engine be closed after it, while the connection is being made. */
  async #newReader(): Promise<Reader> {
    const instance = this.#instance;
    try {
      return await Reader.open(instance);
    } catch (error) {
      throw this.#told(error, this.#isLost || instance !== this.#instance);
    }
  }

  /** A connection whose query was cut short is closed: its interrupt may still be on the way. */
  #release(reader: Reader, reusable: boolean): void {
    this.poolListener?.used("read", performance.now() - (this.#busy.get(reader) ?? performance.now()));
    this.#busy.delete(reader);
    if (reusable && !this.#closed && !this.#isLost && this.#idle.length < IDLE_CONNECTIONS) this.#idle.push(reader);
    else reader.close();
  }
}

function isInvalidated(error: unknown): boolean {
  return /FATAL Error|has been invalidated/.test(messageOf(error));
}
