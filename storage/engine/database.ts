import { dirname } from "node:path";
import { CensusError } from "../errors.ts";
import type { ChunkPool } from "./appender.ts";
import { Connections } from "./connections.ts";
import { copyDatabase } from "./copy-database.ts";
import { EngineFile, type FileKeeper } from "./engine-file.ts";
import { isDamage } from "./faults.ts";
import { copyFolderOf, type DatabaseOptions, makeFolder, openError, uploadFolderOf } from "./instance.ts";
import { EngineMemory } from "./memory.ts";
import type { Pool, PoolListener, PoolName } from "./pool.ts";
import { Reader } from "./reader.ts";
import { ReaderPool } from "./reader-pool.ts";
import { Revival } from "./revival.ts";
import type { Rows } from "./rows.ts";
import { Session } from "./session.ts";
import { beginTogether, end, type SnapshotOptions, viewOf, type Views } from "./snapshot.ts";
import { TableVersions } from "./table-versions.ts";
import { Turns } from "./turns.ts";
import { OpenTransaction, type Transaction } from "./transaction.ts";
import { answerWithPatterns, type ReadOptions, run, type Statement } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";

export interface CheckpointOptions {
  readonly canWait?: boolean;
}

/**
 * The embedded engine: a pool of connections for reading, one connection for writing.
 * Readers see the last committed state and never wait for the writer.
 */
export class Database {
  /** How the place is called in messages: the file's path, or `memory`. */
  readonly place: string;
  /** Which tables have changed. */
  readonly versions = new TableVersions();
  readonly #options: DatabaseOptions;
  readonly #memory: EngineMemory;
  readonly #file: EngineFile;
  readonly #readers = new ReaderPool();
  readonly #turns = new Turns();
  readonly #revival: Revival;
  readonly #connections: Connections;
  readonly #chunks: ChunkPool = new Map();
  /** Resolves when a query may begin. */
  readonly #mayQuery = (): Promise<void> => this.#memory.mayQuery();
  #closed = false;

  private constructor(options: DatabaseOptions, file: EngineFile) {
    this.place = options.path ?? "memory";
    this.#options = options;
    this.#file = file;
    const parts = { place: this.place, file, readers: this.#readers };
    this.#revival = new Revival({ ...parts, turns: this.#turns, isReadOnly: options.readOnly === true });
    this.#connections = new Connections({ ...parts, revival: this.#revival });
    this.#memory = new EngineMemory((use) => this.#connections.lend(use), options.path !== undefined);
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
    const read = (reader: Reader): AsyncIterable<Rows> => answerWithPatterns(reader, statement, options);
    const reading = this.#connections.reading(read, options, this.#mayQuery);
    yield* options.withMore === true && this.#memory.hasMore ? this.#memory.withMore(reading) : reading;
  }

  /**
   * Yields what `work` makes of one state of the store: all that it reads is as of its beginning, whatever is committed
   * meanwhile. Leaving the loop early interrupts the engine.
   * @param work is given as many views as the options ask for; fewer where commits come in too often
   */
  async *snapshot<T>(work: (views: Views) => AsyncIterable<T>, options: SnapshotOptions = {}): AsyncGenerator<T> {
    const { views = 1, inBulk = false, withMore = false, ...others } = options;
    const usual = this.#connections.reading(
      async function* (...readers) {
        const begun = await beginTogether(readers);
        const [first, ...rest] = begun;
        yield* work([viewOf(first, others), ...rest.map((reader) => viewOf(reader, others))]);
        await end(begun);
      },
      others,
      this.#mayQuery,
      views,
    );
    const reading = withMore && this.#memory.hasMore ? this.#memory.withMore(usual) : usual;
    yield* inBulk ? this.#memory.inBulk(reading) : reading;
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
    this.#connections.checkOpen();
    return Session.open(await Reader.open(this.#file.instance), setUp);
  }

  /** Runs a query and returns all its rows as objects; for small results. */
  async rows<T>(sql: string, values: readonly SqlValue[] = [], options: ReadOptions = {}): Promise<T[]> {
    return this.#connections.rows(sql, values, options);
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
      const transaction = new OpenTransaction(this.#file.writer, this.#chunks, this.versions);
      let result: T;
      try {
        result = await work(transaction);
        await transaction.commit();
      } catch (error) {
        await transaction.rollback().catch(() => undefined);
        transaction.ended();
        ends.onRollback?.();
        await this.#revival.afterError(error);
        throw isDamage(error) ? this.#revival.translate(error) : error;
      }
      transaction.ended();
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
      await this.#revival.afterLoss();
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
      await this.#revival.afterLoss();
      throw error;
    }
  }

  /** Called with the engine's message when bytes of the file turn out to be damaged. */
  set onDamage(listener: (reason: string) => void) {
    this.#revival.onDamage = listener;
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
    await this.#connections.lend(async ({ connection }) => {
      try {
        await copyDatabase(connection, path);
      } catch (error) {
        throw this.#revival.translate(error);
      }
    });
  }

  /**
   * Reopens the file if an error made it necessary.
   * @param met the error of a reader
   * @throws CensusError "unavailable" where that cannot be done at present
   */
  async revive(met?: unknown): Promise<void> {
    await this.#revival.revive(met);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#connections.end();
    this.#revival.end();
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
}
