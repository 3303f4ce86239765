import { dirname } from "node:path";
import { CensusError } from "../errors.ts";
import type { ChunkPool } from "./appender.ts";
import { Connections } from "./connections.ts";
import { copyDatabase } from "./copy-database.ts";
import type { LogState } from "./log-end.ts";
import { EngineFile, type FileKeeper } from "./engine-file.ts";
import { isOutOfMemory } from "./error-classes.ts";
import { isDamage } from "./faults.ts";
import { copyFolderOf, type DatabaseOptions, makeFolder, openError, uploadFolderOf } from "./instance.ts";
import { EngineMemory } from "./memory.ts";
import type { Pool, PoolListener, PoolName } from "./pool.ts";
import type { Reader } from "./reader.ts";
import { ReaderPool } from "./reader-pool.ts";
import { Renewal } from "./renewal.ts";
import { Revival } from "./revival.ts";
import type { Rows } from "./rows.ts";
import { Session } from "./session.ts";
import { beginTogether, end, type SnapshotOptions, viewOf, type Views } from "./snapshot.ts";
import { TableVersions } from "./table-versions.ts";
import { Turns } from "./turns.ts";
import { OpenTransaction, type Transaction } from "./transaction.ts";
import { streamWithPatterns, type ReadOptions, run, type Statement } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";

export interface CheckpointOptions {
  /** Whether row groups of a large file are joined too, which takes long; default: no. */
  readonly joinsGroups?: boolean;
}

/**
 * The embedded engine: a pool of connections for reading, one connection for writing. Readers see the last committed
 * state and never wait for the writer.
 */
export class Database {
  /** The name of the store in messages: the file's path, or `memory`. */
  readonly place: string;
  /** Which tables have changed. */
  readonly versions = new TableVersions();
  readonly #options: DatabaseOptions;
  readonly #memory: EngineMemory;
  readonly #file: EngineFile;
  readonly #readers = new ReaderPool();
  readonly #turns = new Turns();
  readonly #revival: Revival;
  readonly #renewal: Renewal;
  readonly #connections: Connections;
  readonly #chunks: ChunkPool = new Map();
  #closed = false;

  private constructor(options: DatabaseOptions, file: EngineFile) {
    this.place = options.path ?? "memory";
    this.#options = options;
    this.#file = file;
    const parts = { place: this.place, file, readers: this.#readers };
    this.#revival = new Revival({ ...parts, turns: this.#turns, isReadOnly: options.readOnly === true });
    this.#connections = new Connections({ ...parts, revival: this.#revival });
    this.#memory = new EngineMemory((use) => this.#connections.use(use), options);
    this.#renewal = new Renewal({ file, readers: this.#readers, memory: this.#memory, revival: this.#revival });
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
   * Runs a query with one text column and yields rows as the engine produces them. The engine waits for the consumer;
   * leaving the loop early interrupts it.
   */
  async *stream(statement: Statement, options: ReadOptions = {}): AsyncGenerator<Rows> {
    const { extraMemory = false } = options;
    const read = (reader: Reader): AsyncIterable<Rows> => {
      const rows = streamWithPatterns(reader, statement, options);
      return extraMemory ? reader.withoutOperatorCache(rows) : rows;
    };
    const reading = this.#connections.reading(read, options);
    yield* extraMemory ? this.#memory.withExtraMemory(reading) : reading;
  }

  /**
   * Yields what `work` reads of one state of the store: later commits are not visible to it. Leaving the loop early
   * interrupts the engine.
   * @param work receives the number of views in the options, or one view where commits are too frequent
   */
  async *snapshot<T>(work: (views: Views) => AsyncIterable<T>, options: SnapshotOptions = {}): AsyncGenerator<T> {
    const { views = 1, freesAtEnd = false, inBulk = false, extraMemory = false, ...others } = options;
    const usual = this.#connections.reading(
      async function* (...readers) {
        // All of its statements see the state of its beginning.
        for (const { overlaid } of readers) await overlaid?.prepare();
        const begun = await beginTogether(readers);
        const [first, ...rest] = begun;
        const made = work([viewOf(first, others), ...rest.map((reader) => viewOf(reader, others))]);
        yield* extraMemory ? begun.reduce((rows, reader) => reader.withoutOperatorCache(rows), made) : made;
        await end(begun);
      },
      others,
      views,
    );
    const reading = extraMemory ? this.#memory.withExtraMemory(usual) : usual;
    if (inBulk) yield* this.#memory.inBulk(reading);
    else yield* freesAtEnd ? this.#memory.freeingAtEnd(reading) : reading;
  }

  /** {@link stream}, each batch of rows as strings. */
  async *texts(statement: Statement, options: ReadOptions = {}): AsyncGenerator<string[]> {
    for await (const rows of this.stream(statement, options)) yield rows.texts();
  }

  /**
   * Opens a connection for statements that a user wrote. The caller closes it before the database.
   * @param setUp returns our own statements that are run first; receives the name of the database for qualified tables
   */
  async session(setUp: (database: string) => readonly string[]): Promise<Session> {
    return Session.open(await this.#connections.own(), setUp);
  }

  /** Runs a query and returns all its rows as objects; for small results. */
  async rows<T>(sql: string, values: readonly SqlValue[] = [], options: ReadOptions = {}): Promise<T[]> {
    return this.#connections.rows(sql, values, options);
  }

  /** @throws CensusError "unavailable" when the file was opened read-only */
  checkWritable(): void {
    if (this.#options.readOnly === true) {
      throw new CensusError("unavailable", `${this.place}: is open for reading only`);
    }
  }

  /** Runs one statement outside of a transaction, after the writes before it. */
  async execute(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    await this.#serially(async () => {
      await this.#ready();
      await run(this.#file.writer, sql, values);
    });
  }

  /**
   * Runs `work` in one transaction; an error rolls everything back. Transactions run one after another.
   * @param ends called before the next transaction begins, when everything is committed or rolled back
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
        if (isOutOfMemory(error)) await this.#renewal.afterOutOfMemory();
        throw isDamage(error) ? this.#revival.translate(error) : error;
      }
      transaction.ended();
      ends.onCommit?.();
      // The commit has succeeded; the next transaction reports a failed checkpoint.
      if (this.#file.isCheckpointDue) await this.#checkpoint({}).catch(() => undefined);
      return result;
    });
  }

  /**
   * Writes the log into the database file, so that the file alone has everything.
   * @returns false where it was not done, because a reader still uses a table as it was before it was rewritten. Committed data then
   *   remain in the log
   * @throws CensusError "unavailable" where it cannot be written
   */
  async checkpoint(options: CheckpointOptions = {}): Promise<boolean> {
    if (this.#options.readOnly === true) return true;
    return this.#serially(async () => {
      await this.#file.reopen();
      return this.#checkpoint(options);
    });
  }

  async #checkpoint({ joinsGroups }: CheckpointOptions): Promise<boolean> {
    try {
      const isDone = await this.#memory.withReserve(() => this.#file.checkpoint(joinsGroups));
      if (isDone) await this.#renewal.afterCheckpoint();
      return isDone;
    } catch (error) {
      await this.#revival.afterLoss();
      throw error;
    }
  }

  /** Called before anything is written. @throws CensusError "unavailable" after an error that persists */
  async #ready(): Promise<void> {
    await this.#file.reopen();
    this.#file.checkAllowed();
    try {
      await this.#file.settle();
    } catch (error) {
      await this.#revival.afterLoss();
      throw error;
    }
  }

  /** Whether the engine joins row groups at each checkpoint, because the file is small. */
  get isVacuumed(): boolean {
    return this.#file.isVacuumed;
  }

  /** Checkpoints since row groups were last joined, by the engine or since {@link countCheckpointsAnew}. */
  get unjoinedCheckpoints(): number {
    return this.#file.unjoined;
  }

  /** To be called when row groups are going to be joined. */
  countCheckpointsAnew(): void {
    this.#file.unjoined = 0;
  }

  /** Called with the engine's message when bytes of the file are damaged. */
  set onDamage(listener: (reason: string) => void) {
    this.#revival.onDamage = listener;
  }

  /** Called before and after checkpoints. */
  set keeper(keeper: FileKeeper) {
    this.#file.keeper = keeper;
  }

  /** Why nothing may be written now, according to the keeper. */
  get blockReason(): string | undefined {
    return this.#file.keeper?.refusal();
  }

  /** What was in the place of the engine's log before the file was opened. */
  get logBefore(): LogState {
    return this.#file.logBefore;
  }

  /** Why the file must be reopened, since when (`performance.now()`), and the number of attempts. */
  get loss(): EngineFile["loss"] {
    return this.#file.loss;
  }

  /**
   * Returns memory to the system: the cached parts of the file, which are read again when needed, and the free memory
   * of the allocators of the engine and the system.
   */
  async release(): Promise<void> {
    if (this.#options.path === undefined) return;
    await this.#serially(() => this.#memory.freeFileCache());
    await this.#memory.emptyAllocators();
  }

  /** Makes the allocators of the engine and the system return their free memory. */
  async emptyAllocators(): Promise<void> {
    await this.#memory.emptyAllocators();
  }

  /** The only folder besides its own file that the engine may write to; undefined: there is none. */
  get copyFolder(): string | undefined {
    const { path, readOnly = false } = this.#options;
    return path === undefined || readOnly ? undefined : copyFolderOf(path);
  }

  /** The folder beside the file for uploaded archives; undefined: there is none. */
  get uploadFolder(): string | undefined {
    const { path, readOnly = false } = this.#options;
    return path === undefined || readOnly ? undefined : uploadFolderOf(path);
  }

  /**
   * Writes the committed state to a new database file. Reading and writing continue meanwhile.
   * @param path in the {@link copyFolder}
   */
  async copyTo(path: string): Promise<void> {
    await this.#connections.use(async ({ connection }) => {
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
   * @throws CensusError "unavailable" where that is not possible now
   */
  async revive(met?: unknown): Promise<void> {
    await this.#revival.revive(met);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#connections.end();
    this.#revival.end();
    await this.#turns.idle();
    this.#readers.end();
    this.#file.close();
    this.#file.keeper?.close();
  }

  async #serially<T>(work: () => Promise<T>): Promise<T> {
    this.checkWritable();
    return this.#turns.run(work, this.#readers.listener);
  }

  /** Called when connections are opened and used. */
  set poolListener(listener: PoolListener | undefined) {
    this.#readers.listener = listener;
  }

  /** The number of connections, and how many of them are in use. */
  pool(name: PoolName): Pool {
    return name === "read" ? this.#readers.pool : this.#turns.pool;
  }
}
