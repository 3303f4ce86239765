import { type Backup, Backups } from "./backup.ts";
import { Health } from "./durability/health.ts";
import { Keeper } from "./durability/keeper.ts";
import { type OpenedDirectory, openDirectory } from "./durability/open-directory.ts";
import type { Database } from "./engine/database.ts";
import { openError } from "./engine/instance.ts";
import { isOutOfMemory } from "./engine/error-classes.ts";
import type { SnapshotOptions, Views } from "./engine/snapshot.ts";
import type { ReadOptions } from "./engine/statements.ts";
import { checkBounds } from "./ingest/check-bounds.ts";
import type { CommandListener } from "./queue/events.ts";
import { collectGarbage } from "./ingest/threads/heap.ts";
import { importAll } from "./ingest/import.ts";
import { Ingester } from "./ingest/ingester.ts";
import type { Outcome } from "./ingest/outcome.ts";
import type { Accepted } from "./queue/processing.ts";
import { QueueConsumer } from "./queue/consumer.ts";
import type { Submission } from "./ingest/submission.ts";
import { InactiveNodes } from "./nodes/inactive-nodes.ts";
import { NodeIndex } from "./nodes/node-index.ts";
import { knows, type ParentKind } from "./query/parents.ts";
import type { CountsQuestion } from "./query/counts.ts";
import type { FacetsQuestion } from "./query/facets/facets.ts";
import { type Asked, type AskOptions, askPlan, left } from "./query/ask.ts";
import { type Explanation, explanationOf, explanationOfPlan } from "./query/explanation.ts";
import type { CompileContext } from "./query/compile/statement.ts";
import { type OptionalData, optionalData } from "./query/optional-data.ts";
import { Planner } from "./query/planner.ts";
import { QueryCache } from "./query/query-cache.ts";
import { type Plan, type Question, questionError } from "./query/query.ts";
import { readDocument, type ReportDocument } from "./query/report-document.ts";
import { type StateOverview, stateOverview } from "./query/state-overview.ts";
import { memoryBudget } from "./memory/budget.ts";
import type { MaintenanceListener } from "./lifecycle/events.ts";
import { guardMemory, isMemoryTight } from "./memory/guard.ts";
import { Lifecycle } from "./lifecycle/lifecycle.ts";
import { defaultRetention, type Retention, withoutMaintenance } from "./lifecycle/retention.ts";
import type { Registry } from "./metrics/registry.ts";
import { StoreMetrics } from "./metrics/store-metrics.ts";
import { openQueue, type Queue } from "./queue/open.ts";
import { keepTables, restoreTables } from "./schema/kept.ts";
import { checkVersion, migrate } from "./schema/migrate.ts";
import type { Sql, SqlOptions } from "./sql/sql.ts";
import { openDatabase } from "./store-database.ts";
import type { StoreOptions } from "./store-options.ts";
import { type Clock, systemClock } from "./time.ts";
import { boundsWithin, type CommandBounds } from "./wire/bounds.ts";

type Opening = Omit<StoreOptions, "retention"> & Pick<Store, "clock" | "retention">;

/** Least time between two collections of garbage while memory is scarce, ms. */
const BETWEEN_COLLECTIONS = 1000;

/** Everything about the data: the one object that the service and the command line share. */
export class Store {
  readonly clock: Clock;
  readonly retention: Retention;
  /** The limits of one command. */
  readonly bounds: CommandBounds;
  /** Expiry, purging, garbage collection. */
  readonly lifecycle: Lifecycle;
  /** What was read and planned of queries, the only cache of them. */
  readonly queryCache = new QueryCache();
  readonly #database: Database;
  readonly #ingester: Ingester;
  readonly #queue: Queue;
  readonly #consumer: QueueConsumer;
  readonly #nodes = new NodeIndex();
  readonly #inactiveNodes: InactiveNodes;
  readonly #metrics: StoreMetrics;
  readonly #planner: Planner;
  readonly #backups: Backups;
  readonly #storesCorrectiveChange: boolean;
  /** Undefined: it is in memory, or open for reading only. */
  #health: Health | undefined;
  readonly #unguard: () => void;
  /** When garbage was last collected to free memory, as `performance.now()`. */
  #collected = -Infinity;
  /** Queries so far. */
  #asked = 0;
  /** When this object was made, ms. */
  readonly #opened = Date.now();
  /** The number of transactions when the tables last were as {@link keep} saved them. */
  #keptAfter: number | undefined;

  private constructor(database: Database, queue: Queue, options: Opening) {
    const { clock, retention, onCommand, onMaintenance } = options;
    this.clock = clock;
    this.retention = retention;
    this.bounds = boundsWithin(options.bounds ?? {}, memoryBudget().largestCommand);
    this.#database = database;
    this.#queue = queue;
    this.#backups = new Backups(database);
    const { factsBlocklist, preparingThreads: threads, storesCorrectiveChange = false } = options;
    this.#storesCorrectiveChange = storesCorrectiveChange;
    const nodes = this.#nodes;
    const inactiveNodes = (this.#inactiveNodes = new InactiveNodes(database, nodes));
    this.#ingester = new Ingester(database, {
      nodes,
      inactiveNodes,
      clock,
      retention,
      queue: queue.identity,
      factsBlocklist,
      bounds: this.bounds,
      threads,
      storesCorrectiveChange,
    });
    const purgeHorizon = (): bigint => clock.now() - retention.nodePurgeTtl;
    const { queryCache: cache } = this;
    this.#planner = new Planner({
      nodes,
      inactiveNodes,
      purgeHorizon,
      countsCorrective: options.countsCorrectiveChange ?? storesCorrectiveChange,
      cache,
    });
    const { log, deadLetters, attempts, left } = queue;
    const onEvent: CommandListener = (event) => {
      this.#metrics.command(event);
      onCommand?.(event);
    };
    this.#consumer = new QueueConsumer({ log, deadLetters, attempts, ingester: this.#ingester, clock, onEvent });
    const cleaning = (): string => this.lifecycle.cleaning;
    this.#metrics = new StoreMetrics({ clock, database, queue: this.#consumer, left, cleaning });
    void deadLetters?.list().then((letters) => this.#metrics.lettersFound(letters));
    const maintained: MaintenanceListener = (event) => {
      this.#metrics.maintenance(event);
      onMaintenance?.(event);
    };
    this.#unguard = guardMemory(() => this.#relieve());
    this.lifecycle = new Lifecycle({
      database,
      transactions: this.#ingester.transactions,
      clock,
      retention,
      onMaintenance: maintained,
    });
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
      else if (directory !== undefined) await migrate(database, { mayMigrate: options.mayMigrate ?? true });
      const opened =
        directory === undefined || readOnly ? undefined : await openDirectory(database, directory, options);
      const queue = opened?.queue ?? (await openQueue(database, undefined));
      const store = new Store(database, queue, { ...options, clock, retention });
      if (opened !== undefined) await store.#keep(opened, options);
      store.#consumer.start(queue.left);
      return store;
    } catch (error) {
      await database.close();
      throw openError(database.place, error);
    }
  }

  /** Makes the queue keep commands until their data is in the database file. */
  async #keep(
    { directory, store, queue, isNoted }: OpenedDirectory,
    { onNotice = ignore, onGivenUp = ignore }: StoreOptions,
  ): Promise<void> {
    const [database, consumer, { log, identity = "" }] = [this.#database, this.#consumer, queue];
    const { progress } = this.#ingester;
    await progress.read(database);
    const path = database.place;
    this.#metrics.damages.add(queue.damaged.length);
    database.keeper = new Keeper({
      directory,
      path,
      database,
      progress,
      consumer,
      log,
      store,
      queue: identity,
      onNotice,
    });
    // Without a note the queue may have removed commands whose data is only in the engine's log.
    if (!isNoted) await database.checkpoint();
    this.#health = new Health({ database, damages: this.#metrics.damages, onNotice, onGivenUp });
  }

  /** What plans of this store are made with, for whoever makes them on another thread. */
  get planningContext(): Pick<CompileContext, "purgeHorizon" | "countsCorrective"> {
    return this.#planner.world;
  }

  /** Text or AST → statement. The engine is not asked, so a question can be checked before anything runs. */
  plan(question: Question): Plan {
    return this.#planner.plan(question);
  }

  /** The same for counts of events. */
  planCounts(question: CountsQuestion): Plan {
    return this.#planner.planCounts(question);
  }

  /** The same for counts of values; {@link facetsOf} reads the rows. */
  planFacets(question: FacetsQuestion): Plan {
    return this.#planner.planFacets(question);
  }

  /** Aggregates over counts of events: one plan, of one row, per word of `summarize_by`. */
  planAggregates(question: CountsQuestion): Plan[] {
    return this.#planner.planAggregates(question);
  }

  /** Runs a query and waits for its first rows. */
  async ask(plan: Plan, options: AskOptions = {}): Promise<Asked> {
    const asked = await askPlan(this.#database, plan, options);
    // It is not worth a read for a single query.
    if (this.#asked++ > 0) void this.#inactiveNodes.load().catch(() => undefined);
    const instead = plan.instead?.();
    if (instead === undefined) return asked;
    await left(asked);
    return askPlan(this.#database, instead, options);
  }

  /** Runs a plan and reports the time of each step. */
  async explain(plan: Plan, options: ReadOptions = {}): Promise<Explanation> {
    const { sql, values } = plan.rows;
    const explained = async (how: string): Promise<string> => {
      const [row] = await this.#database.rows<{ explain_value: string }>(`EXPLAIN (${how}) ${sql}`, values, options);
      return row?.explain_value ?? "";
    };
    const began = performance.now();
    try {
      const profile = explanationOf(await explained("ANALYZE, FORMAT JSON"));
      const ms = performance.now() - began;
      return profile ?? explanationOfPlan(await explained("FORMAT JSON"), ms);
    } catch (error) {
      throw questionError(error);
    }
  }

  /** The store as SQL sees it; whoever opens it closes it, before the store. */
  async sql(options: SqlOptions = {}): Promise<Sql> {
    const { Sql } = await import("./sql/sql.ts");
    return Sql.open(this.#database, options);
  }

  /** Whether it exists; inactive nodes do. */
  async knows(kind: ParentKind, id: string): Promise<boolean> {
    return knows(this.#database, kind, id, this.#nodes);
  }

  /**
   * How many active nodes are in which state.
   * @param threshold seconds after which a node that has sent no report is unresponsive
   */
  async stateOverview(threshold: number): Promise<StateOverview> {
    return stateOverview(this.#database, this.clock.now() - BigInt(threshold) * 1_000_000n);
  }

  /** Which data that not every site sends or keeps are in this store. */
  async optionalData(): Promise<OptionalData> {
    const stored = await optionalData(this.#database);
    return { ...stored, correctiveChanges: stored.correctiveChanges || this.#storesCorrectiveChange };
  }

  /** A report's document as JSON text; null when the report has none. */
  async reportDocument(hash: string, part: ReportDocument): Promise<string | null> {
    return readDocument(this.#database, hash, part);
  }

  /** Yields what `work` makes of one state of the store, whatever is stored meanwhile: {@link Database.snapshot}. */
  snapshot<T>(work: (views: Views) => AsyncIterable<T>, options: SnapshotOptions = {}): AsyncGenerator<T> {
    return this.#database.snapshot(work, options);
  }

  /**
   * Frees memory and files that only commands need, makes a checkpoint, and compacts the database file if it has grown much.
   * @param isLong whether commands are not expected soon: then the threads that prepare them end as well
   */
  async rest({ isLong }: { readonly isLong: boolean }): Promise<void> {
    await (isLong ? this.#ingester.endIdleThreads() : this.#ingester.shrink());
    collectGarbage();
    await this.#database.checkpoint({ canWait: true });
    await this.#queue.log.rest();
    if (!isMemoryTight()) await this.lifecycle.compactGrown();
    await this.#database.release();
  }

  /** Frees memory that is not in use, while the store works. */
  async #relieve(): Promise<void> {
    await this.#database.emptyAllocators();
    // This blocks the event loop.
    if (performance.now() - this.#collected < BETWEEN_COLLECTIONS) return;
    collectGarbage();
    await this.#ingester.shrink();
    await this.#database.emptyAllocators();
    this.#collected = performance.now();
  }

  /**
   * Checks that a command exceeds no bound, before it is accepted.
   * @returns undefined where its size is enough; otherwise a promise that rejects with a BoundsError if it does
   */
  checkBounds(submission: Submission): Promise<void> | undefined {
    return checkBounds(submission, this.bounds);
  }

  /**
   * Accepts a command into the queue; resolves when it is durable.
   * @param isAwaited whether the caller waits until it is processed
   * @throws CensusError "unavailable" when the queue could not keep it, or the store is open for reading only
   */
  async accept(submission: Submission, isAwaited = false): Promise<Accepted> {
    this.#database.checkWritable();
    this.#health?.refuse();
    return this.#consumer.accept(submission, isAwaited);
  }

  /**
   * Accepts commands, all or none of them; resolves when they are in the queue and will not be lost any more.
   * @returns how many there were
   * @throws what `submissions` throws; CensusError "unavailable" as {@link accept} does
   */
  async acceptAll(submissions: AsyncIterable<Submission>): Promise<number> {
    this.#database.checkWritable();
    this.#health?.refuse();
    return this.#consumer.acceptAll(submissions);
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
    return this.#metrics.registry;
  }

  /** A number that grows with each transaction that changes what is stored, and when the store is opened again. */
  get revision(): number {
    return this.#opened + this.#ingester.transactions.committed;
  }

  /** Commands that are not finished. */
  get queueDepth(): number {
    return this.#consumer.depth;
  }

  /** Nothing can be stored at present; it is tried again and again. */
  get isStalled(): boolean {
    return this.#consumer.isStalled;
  }

  /** Why no command is accepted: the file is damaged, was replaced, or cannot be opened. */
  get problem(): string | undefined {
    return this.#health?.problem;
  }

  /** Whether the store can be queried. */
  async reads(): Promise<boolean> {
    try {
      return (await this.#database.rows("SELECT 1")).length === 1;
    } catch (error) {
      // Other queries have all its memory at this moment.
      if (isOutOfMemory(error)) return true;
      throw error;
    }
  }

  /** Files to which damaged parts of the queue were saved when it was opened. */
  get damagedQueueFiles(): readonly string[] {
    return this.#queue.damaged;
  }

  /**
   * Stores many commands, all or none of them: the store stays as it was if `submissions` throws or a command is invalid.
   * @param onFault called for an invalid command; with it such commands are left out instead
   */
  async importAll(
    submissions: AsyncIterable<Submission>,
    onFault?: (submission: Submission, error: Error) => void,
  ): Promise<number> {
    const count = await importAll(this.#ingester, submissions, onFault);
    await this.#database.checkpoint();
    return count;
  }

  /** Saves what this store, which is in memory, has now: {@link reset} restores it. Takes twice the memory. */
  async keep(): Promise<void> {
    await this.#consumer.settle();
    await keepTables(this.#database);
    this.#keptAfter = this.#ingester.transactions.count;
  }

  /**
   * Restores what {@link keep} saved: whatever was stored or accepted since is lost. Takes no time when that is nothing.
   */
  async reset(): Promise<void> {
    if (this.#keptAfter === undefined) throw new Error("nothing was kept that could be brought back");
    await this.#consumer.settle();
    if (this.#keptAfter === this.#ingester.transactions.count) return;
    await this.#ingester.transactions.run(async (tx, caches) => {
      await restoreTables(tx);
      caches.clear();
    });
    this.#keptAfter = this.#ingester.transactions.count;
  }

  /** A folder for archives that are being received; undefined for a store in memory. */
  get uploadFolder(): string | undefined {
    return this.#database.uploadFolder;
  }

  /**
   * Copies everything that is stored at this moment, while the store works.
   * @throws CensusError "bad-input" for a store in memory, "conflict" while another copy is made or read
   */
  async backup(): Promise<Backup> {
    return this.#backups.make();
  }

  async close(): Promise<void> {
    // Before the file is closed, because it checks that file.
    this.#health?.close();
    this.#unguard();
    await this.lifecycle.close();
    await this.#consumer.close(this.#queue.identity === undefined);
    await this.#ingester.close();
    await this.#database.checkpoint().catch(() => undefined);
    await this.#queue.log.close();
    await this.#database.close();
  }
}

const ignore = (_text: string): void => undefined;
