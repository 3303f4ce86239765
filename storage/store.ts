import { type Backup, Backups } from "./backup.ts";
import type { Database, SnapshotOptions } from "./engine/database.ts";
import type { Views } from "./engine/snapshot.ts";
import type { ReadOptions } from "./engine/statements.ts";
import type { CommandListener } from "./ingest/events.ts";
import type { FactsBlocklist } from "./ingest/facts-blocklist.ts";
import { collectGarbage } from "./heap.ts";
import { Ingester } from "./ingest/ingester.ts";
import type { Outcome } from "./ingest/outcome.ts";
import { type Accepted, Processor } from "./ingest/processor.ts";
import type { Submission } from "./ingest/submission.ts";
import type { CountsQuestion } from "./query/counts.ts";
import { type Explanation, explanationOf } from "./query/explanation.ts";
import { Planner } from "./query/planner.ts";
import { type Answer, openAnswer, type Plan, type Question, readCount } from "./query/query.ts";
import { type StateOverview, stateOverview } from "./query/state-overview.ts";
import type { MaintenanceListener } from "./lifecycle/events.ts";
import { Lifecycle } from "./lifecycle/lifecycle.ts";
import { defaultRetention, type Retention, withoutMaintenance } from "./lifecycle/retention.ts";
import type { Registry } from "./metrics/registry.ts";
import { StoreMetrics } from "./metrics/store-metrics.ts";
import { openQueue, type Queue } from "./queue/open.ts";
import { keepTables, restoreTables } from "./schema/kept.ts";
import { checkVersion, migrate } from "./schema/migrate.ts";
import type { Sql, SqlOptions } from "./sql/sql.ts";
import { openDatabase } from "./store-database.ts";
import { type Clock, systemClock } from "./time.ts";

export interface StoreOptions {
  /** The data directory; absent = in memory, gone when closed. */
  readonly directory?: string;
  /** Only in memory: the folder that `writeBase` made of another store, whose content it begins with. */
  readonly base?: string;
  readonly clock?: Clock;
  /** What is not said is as a server does by default. */
  readonly retention?: Partial<Retention>;
  /** Facts that are not stored. */
  readonly factsBlocklist?: FactsBlocklist;
  /** Whether `corrective_change` of reports and events is stored, and counted; default: no, as in the open-source peer. */
  readonly storesCorrectiveChange?: boolean;
  /** Threads that prepare commands; absent: one per core, up to four. */
  readonly preparingThreads?: number | undefined;
  /**
   * Only to be asked: the directory is left as it is, the queue in it alone, and other readers may have it open as well.
   * Commands are refused. Default: no.
   */
  readonly readOnly?: boolean;
  /** Whether a store of an older version may be changed; default: yes. */
  readonly mayMigrate?: boolean;
  /** Told what happens to each command. */
  readonly onCommand?: CommandListener;
  /** Told what maintenance does. */
  readonly onMaintenance?: MaintenanceListener;
}

type Opening = Omit<StoreOptions, "retention"> & Pick<Store, "clock" | "retention">;

/** What a query may be asked with besides the question. */
export interface AskOptions extends ReadOptions {
  /** Count the rows before limit and offset as well. */
  readonly withTotal?: boolean;
}

export interface Asked extends Answer {
  readonly total: bigint | null;
}

/** Things whose absence is a 404 for the routes below them (`reference/query.md §3`). */
export type ParentKind = "node" | "factset" | "catalog" | "report" | "environment" | "producer";

/** Where they are: a row of a table, found by its key, and what must hold for it. */
const parents: Readonly<Record<ParentKind, { readonly table: string; readonly key: string; readonly has?: string }>> = {
  node: { table: "nodes", key: "certname" },
  factset: { table: "nodes", key: "certname", has: "facts_hash IS NOT NULL" },
  catalog: { table: "nodes", key: "certname", has: "catalog_hash IS NOT NULL" },
  report: { table: "reports", key: "hash" },
  environment: { table: "environments", key: "name" },
  producer: { table: "producers", key: "name" },
};

/** Parts of a report that are documents of their own. */
export type ReportDocument = "logs" | "metrics" | "resources";

/** Everything about the data: the one object that the service and the command line share. */
export class Store {
  readonly clock: Clock;
  readonly retention: Retention;
  /** Expiry, purging, garbage collection. */
  readonly lifecycle: Lifecycle;
  readonly #database: Database;
  readonly #ingester: Ingester;
  readonly #queue: Queue;
  readonly #processor: Processor;
  readonly #metrics: StoreMetrics;
  readonly #planner: Planner;
  readonly #backups: Backups;
  /** Questions. */
  #asked = 0;
  /** How many transactions there had been when the tables were last as they were kept. */
  #keptAfter: number | undefined;

  private constructor(database: Database, queue: Queue, options: Opening) {
    const { clock, retention, onCommand, onMaintenance } = options;
    this.clock = clock;
    this.retention = retention;
    this.#database = database;
    this.#queue = queue;
    this.#backups = new Backups(database);
    const { factsBlocklist, preparingThreads: threads, storesCorrectiveChange = false } = options;
    this.#ingester = new Ingester(database, {
      clock,
      retention,
      queue: queue.identity,
      factsBlocklist,
      threads,
      storesCorrectiveChange,
    });
    const purgeHorizon = (): bigint => clock.now() - retention.nodePurgeTtl;
    this.#planner = new Planner({ nodes: this.#ingester, purgeHorizon, countsCorrective: storesCorrectiveChange });
    const { log, deadLetters, left } = queue;
    const onEvent: CommandListener = (event) => {
      this.#metrics.command(event);
      onCommand?.(event);
    };
    this.#processor = new Processor({ log, deadLetters, ingester: this.#ingester, clock, onEvent });
    const cleaning = (): string => this.lifecycle.cleaning;
    this.#metrics = new StoreMetrics({ clock, database, queue: this.#processor, left, cleaning });
    void deadLetters?.list().then((letters) => this.#metrics.lettersFound(letters));
    this.#processor.start(left);
    const maintained: MaintenanceListener = (event) => {
      this.#metrics.maintenance(event);
      onMaintenance?.(event);
    };
    this.lifecycle = new Lifecycle({ database, ingester: this.#ingester, clock, retention, onMaintenance: maintained });
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
      const queue = await openQueue(database, readOnly ? undefined : directory);
      return new Store(database, queue, { ...options, clock, retention });
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Text or AST → statement. The engine is not asked, so a question can be checked before anything runs. */
  plan(question: Question): Plan {
    return this.#planner.plan(question);
  }

  /** The same for counts of events. */
  planCounts(question: CountsQuestion): Plan {
    return this.#planner.planCounts(question);
  }

  /** Aggregates over counts of events: one plan, of one row, per word of `summarize_by`. */
  planAggregates(question: CountsQuestion): Plan[] {
    return this.#planner.planAggregates(question);
  }

  /** Asks a question and waits for the first rows of the answer. */
  async ask(plan: Plan, options: AskOptions = {}): Promise<Asked> {
    const asked = await this.#ask(plan, options);
    // Not for one question alone.
    if (this.#asked++ > 0) void this.#ingester.learnInactive().catch(() => undefined);
    const instead = plan.instead?.();
    if (instead === undefined) return asked;
    await left(asked);
    return this.#ask(instead, options);
  }

  async #ask(plan: Plan, options: AskOptions): Promise<Asked> {
    if (options.withTotal !== true) return { ...(await openAnswer(this.#database, plan.rows, options)), total: null };
    const [answer, total] = await Promise.allSettled([
      openAnswer(this.#database, plan.rows, options),
      readCount(this.#database, plan.total(), options),
    ]);
    if (answer.status === "rejected") throw answer.reason;
    if (total.status === "fulfilled") return { ...answer.value, total: total.value };
    await left(answer.value);
    throw total.reason;
  }

  /** Carries a plan out and tells what each step took. */
  async explain(plan: Plan, options: ReadOptions = {}): Promise<Explanation> {
    const { sql, values } = plan.rows;
    const analyze = `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`;
    const [row] = await this.#database.rows<{ explain_value: string }>(analyze, values, options);
    return explanationOf(row?.explain_value ?? "");
  }

  /** The store as SQL sees it; whoever opens it closes it, before the store. */
  async sql(options: SqlOptions = {}): Promise<Sql> {
    const { Sql } = await import("./sql/sql.ts");
    return Sql.open(this.#database, options);
  }

  /** Whether there is such a thing, inactive nodes included. */
  async knows(kind: ParentKind, id: string): Promise<boolean> {
    const { table, key, has = "true" } = parents[kind];
    const node = key === "certname" ? this.#ingester.nodeOf(id) : undefined;
    const [column, value] = node === undefined ? [key, id] : ["id", node];
    const rows = await this.#database.rows(`SELECT 1 FROM ${table} WHERE ${column} = $1 AND ${has} LIMIT 1`, [value]);
    return rows.length > 0;
  }

  /**
   * How many active nodes are in which state.
   * @param threshold seconds after which a node that has sent no report is unresponsive
   */
  async stateOverview(threshold: number): Promise<StateOverview> {
    return stateOverview(this.#database, this.clock.now() - BigInt(threshold) * 1_000_000n);
  }

  /** A report's document as JSON text; null when the report has none. */
  async reportDocument(hash: string, part: ReportDocument): Promise<string | null> {
    const [row] = await this.#database.rows<{ document: string | null }>(
      `SELECT ${part} AS document FROM reports WHERE hash = $1 AND type = 'agent' LIMIT 1`,
      [hash],
    );
    return row?.document ?? null;
  }

  /** Yields what `work` makes of one state of the store, whatever comes in meanwhile: {@link Database.snapshot}. */
  snapshot<T>(work: (views: Views) => AsyncIterable<T>, options: SnapshotOptions = {}): AsyncGenerator<T> {
    return this.#database.snapshot(work, options);
  }

  /**
   * Gives memory and files back that only commands need, and writes what is in the engine's log into the file, which is
   * made smaller where it has grown much.
   * @param isLong whether commands are not expected soon: then the threads that prepare them end as well
   */
  async rest({ isLong }: { readonly isLong: boolean }): Promise<void> {
    await (isLong ? this.#ingester.rest() : this.#ingester.shrink());
    collectGarbage();
    await this.#queue.log.rest();
    await this.#database.checkpoint();
    await this.lifecycle.compactGrown();
    await this.#database.release();
  }

  /**
   * Takes a command into the queue; resolves when it will not be lost any more.
   * @param isAwaited whether somebody waits until it is processed
   * @returns what becomes of it when it is first tried; never rejects
   * @throws CensusError "unavailable" when it could not be kept, or the store is open for reading only
   */
  async accept(submission: Submission, isAwaited = false): Promise<Accepted> {
    this.#database.checkWritable();
    return this.#processor.accept(submission, isAwaited);
  }

  /**
   * Takes one command in; resolves when it is stored.
   * @throws CensusError "bad-input" when the command can never succeed
   */
  async submit(submission: Submission): Promise<Outcome> {
    const { processed } = await this.accept(submission, true);
    const processing = await processed;
    if (processing.kind === "done") return processing.outcome;
    throw processing.error;
  }

  /** What is counted and timed about the store. */
  get metrics(): Registry {
    return this.#metrics.registry;
  }

  /** Commands that are not finished. */
  get queueDepth(): number {
    return this.#processor.depth;
  }

  /** Nothing can be stored at present; it is tried again and again. */
  get isStalled(): boolean {
    return this.#processor.isStalled;
  }

  /** Whether the store answers. */
  async reads(): Promise<boolean> {
    return (await this.#database.rows("SELECT 1")).length === 1;
  }

  /** Files that were saved when the queue was opened, since they hold no sound commands. */
  get damagedQueueFiles(): readonly string[] {
    return this.#queue.damaged;
  }

  /**
   * Takes many commands in, all or none: what `submissions` or any command throws leaves the store as it was.
   * @param onFault called for a command that cannot be taken in; when given, such commands are left out instead
   */
  async importAll(
    submissions: AsyncIterable<Submission>,
    onFault?: (submission: Submission, error: Error) => void,
  ): Promise<number> {
    const count = await this.#ingester.importAll(submissions, onFault);
    await this.#database.checkpoint();
    return count;
  }

  /** Keeps what this store, which is in memory, holds now: {@link reset} brings it back. Twice the memory. */
  async keep(): Promise<void> {
    await this.#processor.settle();
    await keepTables(this.#database);
    this.#keptAfter = this.#ingester.transactions;
  }

  /**
   * Brings back what was kept: whatever has come in since is gone, commands that wait included. Takes no time when nothing
   * has come in.
   */
  async reset(): Promise<void> {
    if (this.#keptAfter === undefined) throw new Error("nothing was kept that could be brought back");
    await this.#processor.settle();
    if (this.#keptAfter === this.#ingester.transactions) return;
    await this.#ingester.exclusively(async (tx, memory) => {
      await restoreTables(tx);
      memory.forget();
    });
    this.#keptAfter = this.#ingester.transactions;
  }

  /**
   * Copies everything that is stored at this moment, while the store works.
   * @throws CensusError "bad-input" for a store in memory, "conflict" while another copy is made or read
   */
  async backup(): Promise<Backup> {
    return this.#backups.make();
  }

  async close(): Promise<void> {
    await this.lifecycle.close();
    await this.#processor.close(this.#queue.identity === undefined);
    await this.#ingester.close();
    await this.#queue.log.close();
    await this.#database.checkpoint().catch(() => undefined);
    await this.#database.close();
  }
}

/** Ends an answer, for nothing would end one that was never begun. */
async function left({ rows }: Answer): Promise<void> {
  for await (const _ of rows) break;
}
