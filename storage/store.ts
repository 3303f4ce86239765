import type { Backup } from "./backup.ts";
import type { Health } from "./durability/health.ts";
import { keepDirectory } from "./durability/keep-directory.ts";
import { type OpenedDirectory, openDirectory } from "./durability/open-directory.ts";
import type { Database } from "./engine/database.ts";
import { isOutOfMemory } from "./engine/error-classes.ts";
import { fileSize } from "./engine/file-size.ts";
import { openError } from "./engine/instance.ts";
import type { SnapshotOptions, Views } from "./engine/snapshot.ts";
import { CensusError } from "./errors.ts";
import type { Fingerprint } from "./fingerprint/fingerprint.ts";
import { type Followed, readFingerprint } from "./followed-log.ts";
import { endHistory } from "./history/state.ts";
import { scanSubmission } from "./ingest/scan-submission.ts";
import { importAll, type ImportWay } from "./ingest/import.ts";
import type { Outcome } from "./ingest/outcome.ts";
import type { Submission } from "./ingest/submission.ts";
import { IssueStore } from "./issues/issue-store.ts";
import type { Lifecycle } from "./lifecycle/lifecycle.ts";
import { defaultRetention, type Retention, withoutMaintenance } from "./lifecycle/retention.ts";
import type { Registry } from "./metrics/registry.ts";
import type { Queries } from "./query/queries.ts";
import type { DeadLetters } from "./queue/dead-letters.ts";
import type { Origins } from "./origins/origins.ts";
import { openQueue, openReplicatedQueue, type Queue } from "./queue/open.ts";
import type { Accepted } from "./queue/processing.ts";
import { checkVersion, migrate } from "./schema/migrate.ts";
import type { Sql, SqlOptions } from "./sql/sql.ts";
import { openDatabase } from "./store-database.ts";
import type { StoreOptions } from "./store-options.ts";
import { type PartOptions, type StoreParts, storeParts } from "./store-parts.ts";
import { type Clock, systemClock, type Timestamp } from "./time.ts";
import { Traits } from "./traits/traits.ts";
import type { CommandBounds } from "./wire/bounds.ts";

/** One state of a store. */
export interface StoreState {
  /** Says what time it is then. */
  readonly clock: Clock;
  readonly queries: Queries;
  readonly issues: IssueStore;
  readonly traits: Traits;
}

/** All code about data: the one object that the service and the command line share. */
export class Store {
  readonly clock: Clock;
  readonly retention: Retention;
  /** The limits of one command. */
  readonly bounds: CommandBounds;
  /** Expiry, purging, garbage collection. */
  readonly lifecycle: Lifecycle;
  /** The queries. */
  readonly queries: Queries;
  /** The issues: failures, their nodes and times. */
  readonly issues: IssueStore;
  /** What sets nodes apart from others. */
  readonly traits: Traits;
  /** Servers that are copied into this store. */
  readonly origins: Origins;
  readonly #parts: StoreParts;
  /** Undefined: the store is in memory, or opened for reading only. */
  #health: Health | undefined;
  /** When this object was created, ms. */
  readonly #opened = Date.now();

  private constructor(parts: StoreParts, { clock, retention }: PartOptions) {
    this.clock = clock;
    this.retention = retention;
    this.#parts = parts;
    this.bounds = parts.bounds;
    this.queries = parts.queries;
    this.issues = parts.issues;
    this.traits = parts.traits;
    this.lifecycle = parts.lifecycle;
    this.origins = parts.origins;
  }

  /** @throws CensusError "bad-file" when the directory cannot be used or holds a newer store */
  static async open(options: StoreOptions = {}): Promise<Store> {
    return Store.over(await openDatabase(options), options);
  }

  /**
   * The store in a database that was opened with the same options; closes it when it fails.
   * @throws CensusError "bad-file" when the directory cannot be used or holds a newer store
   */
  static async over(database: Database, options: StoreOptions): Promise<Store> {
    const { directory, clock = systemClock, readOnly = false } = options;
    const wanted = { ...defaultRetention, ...options.retention };
    const retention = readOnly ? withoutMaintenance(wanted) : wanted;
    try {
      if (readOnly) await checkVersion(database);
      else if (directory !== undefined) {
        const { mayMigrate = true, onNotice = ignore } = options;
        await migrate(database, { mayMigrate, onProgress: (message) => onNotice(`${directory}: ${message}`) });
      }
      const opened =
        directory === undefined || readOnly ? undefined : await openDirectory(database, directory, options);
      if (opened !== undefined && retention.historyTtl === 0n) await database.transaction(endHistory);
      const queue = opened?.queue ?? (await openQueueInMemory(database, options));
      const completed = { ...options, clock, retention };
      const store = new Store(storeParts(database, queue, completed), completed);
      if (opened !== undefined) store.#health = await store.#keepDirectory(opened, options);
      store.#parts.consumer.start(queue.unfinished);
      return store;
    } catch (error) {
      await database.close();
      throw openError(database.place, error);
    }
  }

  async #keepDirectory(
    opened: OpenedDirectory,
    { onNotice = ignore, onGivenUp = ignore }: StoreOptions,
  ): Promise<Health> {
    const { progress } = this.#parts.ingester;
    const { damages } = this.#parts.metrics;
    const parts = {
      database: this.#parts.database,
      consumer: this.#parts.consumer,
      progress,
      damages,
      onNotice,
      onGivenUp,
    };
    return keepDirectory(opened, parts);
  }

  /**
   * The queries of the state at a time; undefined: of the present one.
   * @throws QueryError for a time in the future, or before anything was recorded
   */
  async queriesAt(time: Timestamp | undefined): Promise<Queries> {
    return time === undefined ? this.queries : (await this.#parts.past.at(time)).queries;
  }

  /**
   * What can be read of the state at a time; undefined: of the present one.
   * @throws QueryError as {@link queriesAt}
   */
  async stateAt(time: Timestamp | undefined): Promise<StoreState> {
    if (time === undefined) return this;
    const { queries, database, clock } = await this.#parts.past.at(time);
    return { clock, queries, issues: new IssueStore(database, queries), traits: new Traits(database, queries) };
  }

  /** The earliest time whose state can be queried; undefined: no changes are recorded. */
  async earliest(): Promise<Timestamp | undefined> {
    return this.#parts.past.earliest();
  }

  /**
   * A session of SQL statements; the caller closes it before the store.
   * @throws QueryError as {@link queriesAt}
   */
  async sql(options: SqlOptions = {}): Promise<Sql> {
    const { Sql } = await import("./sql/sql.ts");
    const { asOf } = options;
    return Sql.open(
      this.#parts.database,
      options,
      asOf === undefined ? undefined : await this.#parts.past.tablesAt(asOf),
    );
  }

  /** Yields the results of `work`, which reads one state of the store: {@link Database.snapshot}. */
  snapshot<T>(work: (views: Views) => AsyncIterable<T>, options: SnapshotOptions = {}): AsyncGenerator<T> {
    return this.#parts.database.snapshot(work, options);
  }

  /**
   * Frees memory and files that only commands need, makes a checkpoint, and compacts the database file if it has grown
   * much.
   * @param isLong whether commands are not expected soon: then the threads that prepare them end as well
   */
  async rest({ isLong }: { readonly isLong: boolean }): Promise<void> {
    await this.#parts.memory.rest(isLong);
  }

  /** Reads what the first commands would wait for: with 100,000 nodes this takes seconds. Commands may come meanwhile. */
  async preload(): Promise<void> {
    await this.#parts.ingester.transactions.preload();
  }

  /**
   * Scans a command before it is accepted: {@link scanSubmission}.
   * @throws BoundsError, or rejects with it, for a command that exceeds a bound
   */
  scan(submission: Submission): Submission | Promise<Submission> {
    return scanSubmission(submission, this.bounds);
  }

  /**
   * Accepts a command into the queue; resolves when it is durable.
   * @param isAwaited whether the caller waits until it is processed
   * @throws BoundsError as {@link scan}; CensusError "unavailable" when it cannot be written to the queue, or the store is opened for reading only
   */
  async accept(submission: Submission, isAwaited = false): Promise<Accepted> {
    this.#parts.database.checkWritable();
    this.#health?.refuse();
    const scanned = submission.content === undefined ? await this.scan(submission) : submission;
    return this.#parts.consumer.accept(scanned, isAwaited);
  }

  /**
   * Accepts commands, all or none of them; resolves when they are in the queue and will not be lost any more.
   * @returns the number of commands
   * @throws errors of `submissions`; CensusError "unavailable" as {@link accept} does
   */
  async acceptAll(submissions: AsyncIterable<Submission>): Promise<number> {
    this.#parts.database.checkWritable();
    this.#health?.refuse();
    return this.#parts.consumer.acceptAll(submissions);
  }

  /**
   * Accepts a command; resolves when it is stored.
   * @throws CensusError "bad-input" when the command can never succeed
   */
  async submit(submission: Submission): Promise<Outcome> {
    const { processed } = await this.accept(submission, true);
    const processing = await processed;
    if (processing.kind === "done") return processing.outcome;
    throw processing.error;
  }

  /** The metrics of the store. */
  get metrics(): Registry {
    return this.#parts.metrics.registry;
  }

  /** A number that grows with each transaction that changes what is stored, and when the store is opened again. */
  get revision(): number {
    return this.#opened + this.#parts.ingester.transactions.committed;
  }

  /** Commands that are not finished. */
  get queueDepth(): number {
    return this.#parts.consumer.depth;
  }

  /** Whether nothing can be stored at present; the queue retries. */
  get isStalled(): boolean {
    return this.#parts.consumer.isStalled;
  }

  /** Whether commands that were acknowledged before the start are not stored yet: queries return less until they are. */
  get isCatchingUp(): boolean {
    return this.#parts.consumer.isCatchingUp || this.#parts.followedLog?.isBehind === true;
  }

  /** Why commands are not stored: the file is damaged, was replaced, or cannot be opened, the disk is full, or the log is out of reach. */
  get problem(): string | undefined {
    const { disk, followedLog } = this.#parts;
    return this.#health?.problem ?? disk?.problem ?? followedLog?.lastingProblem;
  }

  /** Bytes that the data directory has room for; undefined for a store in memory, or where the system does not say. */
  get freeBytes(): number | undefined {
    return this.#parts.disk?.freeBytes;
  }

  /** How far this store has stored the log that it follows with others; undefined: it follows none. */
  get followed(): Followed | undefined {
    return this.#parts.followedLog?.position;
  }

  /** Resolves when the log that this store follows is stored up to a position; rejects with the signal's reason. */
  async reached(position: number, signal: AbortSignal): Promise<void> {
    await this.#parts.ingester.progress.reached(position, signal);
  }

  /** What distinguishes the content of this store from any other, and the position in a log that it belongs to. */
  async fingerprint(): Promise<Fingerprint> {
    return readFingerprint(this.#parts.database);
  }

  /** Whether the store can be queried. */
  async reads(): Promise<boolean> {
    try {
      return (await this.#parts.database.rows("SELECT 1")).length === 1;
    } catch (error) {
      // Another query may use all of its memory at the moment.
      if (isOutOfMemory(error)) return true;
      throw error;
    }
  }

  /** Bytes of the database file and its log; undefined for a store in memory. */
  async fileSize(): Promise<number | undefined> {
    return fileSize(this.#parts.database.place);
  }

  /** Files to which damaged parts of the queue were saved when it was opened. */
  get damagedQueueFiles(): readonly string[] {
    return this.#parts.queue.damaged;
  }

  /**
   * Stores many commands, all or none of them: the store does not change if `submissions` throws or a command is
   * invalid, unless `way` lets what is there be read meanwhile.
   */
  async importAll(submissions: AsyncIterable<Submission>, way: ImportWay = {}): Promise<number> {
    if (this.#parts.queue.replicated !== undefined) {
      throw new CensusError(
        "conflict",
        "this store follows a log: import through the service, so that all stores of it import",
      );
    }
    const count = await importAll(this.#parts.ingester, submissions, way);
    await this.#parts.database.checkpoint({ joinsGroups: true });
    return count;
  }

  /** Saves the present content of this store, which is in memory: {@link reset} restores it. Needs twice the memory. */
  async save(): Promise<void> {
    await this.#parts.saved.save();
  }

  /** Resolves when all commands that were accepted so far are stored or discarded. */
  async settle(): Promise<void> {
    await this.#parts.consumer.settle();
  }

  /**
   * Restores the content that {@link save} saved; commands that were stored or accepted since are lost. Returns at once
   * if there are none.
   */
  async reset(): Promise<void> {
    await this.#parts.saved.restore();
  }

  /** Commands that could not be stored; undefined: none are kept. */
  get deadLetters(): Pick<DeadLetters, "newest"> | undefined {
    return this.#parts.queue.deadLetters;
  }

  /** A folder for archives that are being received; undefined for a store in memory. */
  get uploadFolder(): string | undefined {
    return this.#parts.database.uploadFolder;
  }

  /**
   * Copies all data stored at this moment, while the store is in use.
   * @throws CensusError "bad-input" for a store in memory, "conflict" while another copy is made or read
   */
  async backup(): Promise<Backup> {
    return this.#parts.backups.make();
  }

  async close(): Promise<void> {
    // Before the file is closed, because it checks that file.
    this.#health?.close();
    this.#parts.disk?.close();
    this.#parts.memory.close();
    await this.lifecycle.close();
    await this.#parts.followedLog?.close();
    await this.#parts.consumer.close(this.#parts.queue.identity === undefined);
    await this.#parts.ingester.close();
    await this.#parts.database.checkpoint().catch(() => undefined);
    const { log, replicated } = this.#parts.queue;
    await (replicated ?? log).close();
    await this.#parts.database.close();
  }
}

async function openQueueInMemory(database: Database, { commandLog }: StoreOptions): Promise<Queue> {
  if (commandLog === undefined) return openQueue(database, undefined);
  return openReplicatedQueue(database, undefined, commandLog);
}

const ignore = (_text: string): void => undefined;
