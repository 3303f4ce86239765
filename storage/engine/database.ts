import { dirname } from "node:path";
import { CensusError, messageOf } from "../errors.ts";
import type { ChunkPool } from "./appender.ts";
import { copyDatabase } from "./copy-database.ts";
import { EngineFile, type FileKeeper } from "./engine-file.ts";
import { isDamage, isFileFault, isInvalidated } from "./faults.ts";
import { copyFolderOf, type DatabaseOptions, makeFolder, openError, uploadFolderOf } from "./instance.ts";
import { interruptOn } from "./interrupt.ts";
import { EngineMemory } from "./memory.ts";
import type { Pool, PoolListener, PoolName } from "./pool.ts";
import { Reader } from "./reader.ts";
import { ReaderPool } from "./reader-pool.ts";
import type { Rows } from "./rows.ts";
import { Session } from "./session.ts";
import { beginTogether, end, type SnapshotOptions, viewOf, type Views } from "./snapshot.ts";
import { Turns } from "./turns.ts";
import { OpenTransaction, type Transaction } from "./transaction.ts";
import { answerWithPatterns, type ReadOptions, rowsOf, rowsWithPatterns, run, type Statement } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";

export interface CheckpointOptions {
  readonly canWait?: boolean;
}

/** How long answers in progress may take to end when the file must be reopened, ms. */
const REVIVAL = 2000;

/**
 * The embedded engine: a pool of connections for reading, one connection for writing.
 * Readers see the last committed state and never wait for the writer.
 */
export class Database {
  /** How the place is called in messages: the file's path, or `memory`. */
  readonly place: string;
  readonly #options: DatabaseOptions;
  readonly #memory: EngineMemory;
  readonly #file: EngineFile;
  readonly #readers = new ReaderPool();
  readonly #turns = new Turns();
  /** Told the engine's words when bytes of the file turn out to be damaged. */
  onDamage: ((reason: string) => void) | undefined;
  readonly #chunks: ChunkPool = new Map();
  #closed = false;

  private constructor(options: DatabaseOptions, file: EngineFile) {
    this.place = options.path ?? "memory";
    this.#options = options;
    this.#memory = new EngineMemory((use) => this.#lending(use), options.path !== undefined);
    this.#file = file;
  }

  /** @throws CensusError "bad-file" when the file is locked by another process, not writable or not a database */
  static async open(options: DatabaseOptions = {}): Promise<Database> {
    if (options.path !== undefined && options.readOnly !== true) makeFolder(dirname(options.path));
    try {
      return new Database(options, await EngineFile.open(options));
    } catch (error) {
      throw openError(options.path ?? options.base ?? "memory", error);
    }
  }

  /**
   * Runs a query whose one column is a text and yields rows as the engine produces them. The consumer's pace is the
   * producer's pace; leaving the loop early interrupts the engine.
   */
  async *answer(statement: Statement, options: ReadOptions = {}): AsyncGenerator<Rows> {
    const reading = this.#reading((reader) => answerWithPatterns(reader, statement, options), options);
    yield* options.withMore === true && this.#memory.hasMore ? this.#memory.withMore(reading) : reading;
  }

  /**
   * Yields what `work` makes of one state of the store: all that it reads is as of its beginning, whatever is committed
   * meanwhile. Leaving the loop early interrupts the engine.
   * @param work is given as many views as the options ask for; fewer where commits come in too often
   */
  async *snapshot<T>(work: (views: Views) => AsyncIterable<T>, options: SnapshotOptions = {}): AsyncGenerator<T> {
    const { views = 1, inBulk = false, withMore = false, ...others } = options;
    const usual = this.#reading(
      async function* (...readers) {
        const begun = await beginTogether(readers);
        const [first, ...rest] = begun;
        yield* work([viewOf(first, others), ...rest.map((reader) => viewOf(reader, others))]);
        await end(begun);
      },
      others,
      views,
    );
    const reading = withMore && this.#memory.hasMore ? this.#memory.withMore(usual) : usual;
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
    await this.#memory.mayQuery();
    const readers: [Reader, ...Reader[]] = [await this.#acquire()];
    const endInterrupting = interruptOn(options.signal, readers);
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
      endInterrupting();
      for (const reader of readers) {
        this.#readers.giveBack(reader, finished);
      }
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
    return Session.open(await Reader.open(this.#file.instance), setUp);
  }

  /** Runs a query and returns all its rows as objects; for small results. */
  async rows<T>(sql: string, values: readonly SqlValue[] = [], options: ReadOptions = {}): Promise<T[]> {
    const reader = await this.#acquire();
    const endInterrupting = interruptOn(options.signal, [reader]);
    try {
      options.signal?.throwIfAborted();
      if (values.length === 0) return await rowsOf<T>(reader.connection, sql, values);
      return await rowsWithPatterns<T>(reader, sql, values, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw this.#told(error);
    } finally {
      endInterrupting();
      this.#readers.giveBack(reader, true);
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
      await this.#ready();
      await run(this.#file.writer, sql, values);
    });
  }

  /**
   * Runs `work` in one transaction; what it throws rolls everything back. Transactions run one after another.
   * @param ends called before the next transaction begins: when everything is committed, or is as it was before
   */
  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    ends: { readonly onCommit?: () => void; readonly onRollback?: () => void } = {},
  ): Promise<T> {
    return this.#serially(async () => {
      await this.#ready();
      const transaction = new OpenTransaction(this.#file.writer, this.#chunks);
      let result: T;
      try {
        result = await work(transaction);
        await transaction.commit();
      } catch (error) {
        await transaction.rollback().catch(() => undefined);
        ends.onRollback?.();
        await this.#revive(error);
        throw isDamage(error) ? this.#told(error) : error;
      }
      ends.onCommit?.();
      // What is committed is committed: a fault is met by the next transaction.
      if (this.#file.isCheckpointDue) await this.#checkpoint({ canWait: true }).catch(() => undefined);
      return result;
    });
  }

  /**
   * Writes the log into the database file, so that the file alone holds everything.
   * @param options.canWait whether another time will do as well where queries use nearly all of the engine's memory; default: no
   * @returns false where it was not done: somebody still reads what a table was before it was rewritten, or it can wait. What
   *   was committed stays in the log meanwhile
   * @throws CensusError "unavailable" where it cannot be written
   */
  async checkpoint(options: CheckpointOptions = {}): Promise<boolean> {
    if (this.#options.readOnly === true) return true;
    return this.#serially(async () => {
      await this.#file.reopen();
      return this.#checkpoint(options);
    });
  }

  async #checkpoint({ canWait = false }: CheckpointOptions): Promise<boolean> {
    // One that gets no memory has to have the file reopened.
    if (canWait && (await this.#memory.isNearlyUsed())) return false;
    try {
      return await this.#memory.withRoom(() => this.#file.checkpoint());
    } catch (error) {
      await this.#reviveLost();
      throw error;
    }
  }

  /** Before anything is written. @throws CensusError "unavailable" after a fault that has not passed */
  async #ready(): Promise<void> {
    await this.#file.reopen();
    this.#file.refuse();
    try {
      await this.#file.settle();
    } catch (error) {
      await this.#reviveLost();
      throw error;
    }
  }

  /** What is done around checkpoints. */
  set keeper(keeper: FileKeeper) {
    this.#file.keeper = keeper;
  }

  /** Why nothing may be written at present, as the keeper says. */
  get refusal(): string | undefined {
    return this.#file.keeper?.refusal();
  }

  /** Why the file has to be reopened, since when (`performance.now()`), and how often that was tried. */
  get loss(): EngineFile["loss"] {
    return this.#file.loss;
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

  /** Has the allocators of the process, the engine's and the system's, give back what they have free. */
  async emptyAllocators(): Promise<void> {
    await this.#memory.emptyAllocators();
  }

  async #lending<T>(use: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = await this.#acquire();
    try {
      return await use(reader);
    } finally {
      this.#readers.giveBack(reader, true);
    }
  }

  /** The one folder besides its own file that the engine may write to; undefined: there is none. */
  get copyFolder(): string | undefined {
    const { path, readOnly = false } = this.#options;
    return path === undefined || readOnly ? undefined : copyFolderOf(path);
  }

  /** A folder beside its file for archives that are being taken in; undefined: there is none. */
  get uploadFolder(): string | undefined {
    const { path, readOnly = false } = this.#options;
    return path === undefined || readOnly ? undefined : uploadFolderOf(path);
  }

  /**
   * Writes what is committed at this moment to a new database file. Others read and write meanwhile.
   * @param path in the {@link copyFolder}
   */
  async copyTo(path: string): Promise<void> {
    const reader = await this.#acquire();
    try {
      await copyDatabase(reader.connection, path);
    } catch (error) {
      throw this.#told(error);
    } finally {
      this.#readers.giveBack(reader, true);
    }
  }

  /**
   * What a reader is told who meets a file that has to be reopened, or that is damaged.
   * @param isGone whether any error means the former
   */
  #told(error: unknown, isGone = this.#file.loss !== undefined && /Interrupt/.test(messageOf(error))): unknown {
    if (this.place !== "memory" && isDamage(error)) {
      const reason = messageOf(error).split("\n")[0] ?? "";
      this.onDamage?.(reason);
      return new CensusError("unavailable", `${this.place}: is damaged: ${reason}`, { cause: error });
    }
    if (isInvalidated(error)) this.#reviveSoon(error);
    else if (!isGone) return error;
    return this.#lost(error);
  }

  #lost(cause?: unknown): CensusError {
    const reason = this.#file.loss?.reason ?? messageOf(cause).split("\n")[0] ?? "";
    return new CensusError(
      "unavailable",
      `${this.place}: is being reopened after an error: ${reason}; try again in a few seconds`,
      { cause },
    );
  }

  /**
   * After a fault of its log or its file nobody knows what the engine has on disk, and after some it refuses everything:
   * the file is reopened, which reads the log.
   */
  async #revive(error: unknown): Promise<void> {
    if (this.place === "memory" || !isFileFault(error) || (isDamage(error) && !isInvalidated(error))) return;
    this.#file.lose(error);
    await this.#reviveLost();
  }

  /**
   * Reopens the file where it has to be.
   * @param met what a reader met
   * @throws CensusError "unavailable" where that cannot be done at present
   */
  async revive(met?: unknown): Promise<void> {
    if (this.place === "memory" || this.#options.readOnly === true || this.#closed) return;
    await this.#serially(async () => {
      // Somebody may have done so meanwhile.
      const [works] = await rowsOf(this.#file.writer, "SELECT 1", []).catch(() => []);
      if (met !== undefined && works === undefined) await this.#revive(met);
      await this.#file.reopen();
    });
  }

  #reviveSoon(met: unknown): void {
    void this.revive(met).catch(() => undefined);
  }

  /** What keeps the file from being opened may pass: the next transaction tries again. */
  async #reviveLost(): Promise<void> {
    if (this.#file.loss === undefined) return;
    this.#readers.end();
    this.#readers.interrupt();
    // Answers that are being read end first; one that nobody reads on cannot harm the file, for it is refused all.
    for (let left = REVIVAL; left > 0 && this.#readers.busy > 0; left -= 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.#readers.settled();
    this.#file.close();
    await this.#file.reopen().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#turns.over();
    this.#readers.end();
    await this.#readers.settled();
    this.#file.close();
    this.#file.keeper?.close();
  }

  async #serially<T>(work: () => Promise<T>): Promise<T> {
    this.checkWritable();
    return this.#turns.take(work, this.#readers.listener);
  }

  /** Told how connections are used. */
  set poolListener(listener: PoolListener | undefined) {
    this.#readers.listener = listener;
  }

  /** How many connections there are, and how many of them work. */
  pool(name: PoolName): Pool {
    return name === "read" ? this.#readers.pool : this.#turns.pool;
  }

  async #acquire(): Promise<Reader> {
    if (this.#closed) throw new CensusError("bad-file", `${this.place}: the store is closed`);
    if (this.#file.loss !== undefined) throw this.#lost();
    return this.#readers.take(() => this.#newReader());
  }

  /** The fault may come, or the engine be closed after it, while the connection is being made. */
  async #newReader(): Promise<Reader> {
    const instance = this.#file.instance;
    try {
      return await Reader.open(instance);
    } catch (error) {
      throw this.#told(error, this.#file.loss !== undefined || instance !== this.#file.instance);
    }
  }
}
