import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../engine/database.ts";
import { isOutOfMemory } from "../engine/error-classes.ts";
import type { Transaction } from "../engine/transaction.ts";
import { CensusError } from "../errors.ts";
import type { WriteTransactions } from "../ingest/write/transactions.ts";
import type { Clock, Timestamp } from "../time.ts";
import { compact } from "./compaction.ts";
import { CHECKPOINTS, joinRowGroups } from "./join-groups.ts";
import type { MaintenanceEvent, MaintenanceListener } from "./events.ts";
import { fileSpace } from "./file-space.ts";
import { cleaningText, operations } from "./operations.ts";
import { type Operation, operationNames } from "./operation.ts";
import type { Maintenance, Turn } from "./maintenance.ts";
import { removeNode } from "./purge-nodes.ts";
import type { CleanRequest } from "./request.ts";
import type { Retention } from "./retention.ts";
import { type Job, jobsFor } from "./schedule.ts";
import { type SummaryStatistics, summaryStatistics } from "./summary-statistics.ts";
import { Timetable } from "./timetable.ts";
import type { Work } from "./work.ts";

export interface LifecycleOptions {
  readonly database: Database;
  readonly transactions: WriteTransactions;
  readonly clock: Clock;
  readonly retention: Retention;
  readonly onMaintenance: MaintenanceListener;
  /** Where several stores follow one log: adds maintenance to it, and resolves when this store has done it. */
  readonly shared?: SharedMaintenance | undefined;
  /** Milliseconds between comparisons of the stores that follow the log; 0: none. */
  readonly compareInterval?: number | undefined;
}

/** The periodic comparison of stores that follow one log. */
interface Comparing {
  readonly name: "compare";
  /** As of {@link Job}. */
  readonly interval: number;
}

/** How often an operation tries to read what it needs, and the milliseconds between. */
const MEMORY = { attempts: 4, pause: 2000 };

/** Looks whether row groups are to be joined: {@link joinRowGroups}. */
const joining = { name: "join row groups", interval: 10_000 } as const;

/** Maintenance that all stores of a log do at the same place in it. */
export interface SharedMaintenance {
  /** Resolves when it is done here, or another process has added the same run. */
  request(change: Maintenance, turn?: Turn): Promise<void>;
}

/**
 * A file whose used blocks have grown by this factor since the last time is compacted as soon as the queue is idle,
 * unless it has more blocks than this (64 MB), which would take longer than about two seconds.
 */
const GROWTH = { grown: 1.25, most: 256 };

/** Expiry, purging and garbage collection: periodic or on request. */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #closing = new AbortController();
  readonly #timetable: Timetable<Job | Comparing | typeof joining>;
  #requested: ReadonlySet<Operation> = new Set();
  #running: Promise<void> | undefined;
  /** Whether a run that was requested here is on its way through a log. */
  #isRequesting = false;
  #lastRun: Timestamp | undefined;
  #compacting: Promise<void> | undefined;
  /** Used blocks when {@link compactGrown} last checked and compacted the file. */
  #compacted = 0;
  /** Blocks that the last compaction could not free. */
  #left = 0;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    const { shared, compareInterval: interval = 0 } = options;
    const comparing = shared === undefined || interval === 0 ? [] : [{ name: "compare", interval } as const];
    const jobs = [...jobsFor(options.retention), ...comparing, joining];
    this.#timetable = new Timetable<(typeof jobs)[number]>(jobs, async (job) => {
      if (job.name === "join row groups") return this.#joinGroups();
      if (shared !== undefined) return this.#requestTurn(shared, job);
      if (job.name === "compare") return;
      const { request } = job;
      while (this.#running !== undefined) await this.#running;
      if (!this.#closing.signal.aborted) await this.#begin(request);
    });
  }

  /** The running operations, in the words of the metric; empty when none runs (`reference/lifecycle.md §7.4`). */
  get cleaning(): string {
    return cleaningText(this.#requested);
  }

  /** When maintenance ended the last time since the store was opened. */
  get lastRun(): Timestamp | undefined {
    return this.#lastRun;
  }

  /**
   * Runs the requested operations, in their own order. An error is reported to the listener and does not prevent the
   * others.
   * @throws CensusError "conflict" while another run is in progress
   */
  async clean(request: CleanRequest): Promise<void> {
    if (this.#running !== undefined || this.#isRequesting) {
      throw new CensusError("conflict", "Another cleanup is already in progress");
    }
    const { shared } = this.#options;
    if (shared === undefined) return this.#begin(request);
    if (!isLimitValid(request)) {
      throw new CensusError("bad-input", `purge_nodes: batch_limit must be 0 or more, not ${request.purgeLimit}`);
    }
    this.#isRequesting = true;
    try {
      await shared.request(this.#changeOf(request));
    } finally {
      this.#isRequesting = false;
    }
  }

  /**
   * Does what a log requests, in one transaction.
   * @param asOf when it was requested
   * @param note records in the same transaction that it is done
   * @throws what fails; then nothing is changed
   */
  async apply(change: Maintenance, asOf: Timestamp, note: (tx: Transaction) => void): Promise<void> {
    const { transactions } = this.#options;
    if (change.kind === "clean") return this.#applyClean(change, asOf, note);
    await transactions.run(async (tx, { nodes }) => {
      if (change.kind === "delete node") await removeNode(tx, nodes, change.certname);
      note(tx);
    });
  }

  /** Removes everything about a node, known or not; waiting commands may add it again. */
  async deleteNode(certname: string): Promise<void> {
    const { shared, transactions } = this.#options;
    if (shared !== undefined) return shared.request({ kind: "delete node", certname });
    await transactions.run((tx, { nodes }) => removeNode(tx, nodes, certname));
  }

  /**
   * Makes a file smaller that has grown much, as with the first reports of a fleet, after which much of it may be free:
   * maintenance, which checks any file, may be an hour away.
   */
  async compactGrown(): Promise<void> {
    const { database } = this.#options;
    if (database.place === "memory" || this.#running !== undefined || this.#compacting !== undefined) return;
    this.#compacting = this.#attempt("compaction", async (started) => {
      const { total, free } = await fileSpace(database);
      const blocks = total - free;
      if (blocks > GROWTH.most || blocks < this.#compacted * GROWTH.grown) return;
      await this.#compact(started);
      this.#compacted = blocks;
    });
    await this.#compacting;
    this.#compacting = undefined;
  }

  /** Joins row groups of a large file after many checkpoints. */
  async #joinGroups(): Promise<void> {
    const { database } = this.#options;
    while (this.#running !== undefined) await this.#running;
    if (database.unjoinedCheckpoints < CHECKPOINTS || this.#compacting !== undefined) return;
    this.#compacting = this.#attempt("compaction", () => joinRowGroups(database, this.#closing.signal));
    await this.#compacting;
    this.#compacting = undefined;
  }

  /** Figures about the stored data (`reference/lifecycle.md §7.3`). */
  async summaryStatistics(): Promise<SummaryStatistics> {
    return summaryStatistics(this.#options.database, this.#options.clock);
  }

  /** Ends the running operation at its next step and begins no more. */
  async close(): Promise<void> {
    this.#closing.abort(new CensusError("unavailable", "the store is being closed"));
    await this.#timetable.close();
    await this.#running?.catch(() => undefined);
    await this.#compacting;
  }

  #changeOf({ operations: requested, purgeLimit }: CleanRequest): Maintenance {
    return { kind: "clean", operations: [...requested], purgeLimit, kept: this.#options.retention };
  }

  /** Requests a periodic run, unless another process has. */
  async #requestTurn(shared: SharedMaintenance, job: Job | Comparing): Promise<void> {
    const { name, interval } = job;
    const change = job.name === "compare" ? ({ kind: "compare" } as const) : this.#changeOf(job.request);
    const number = Number(this.#options.clock.now() / BigInt(Math.round(interval * 1000)));
    try {
      await shared.request(change, { job: name, number });
    } catch (error) {
      // The log itself reports once that it is out of reach. A run or a comparison is requested again after the interval.
      if (error instanceof CensusError && error.code === "unavailable") return;
      if (job.name !== "compare") for (const operation of job.request.operations) this.#failed(operation, error, 0);
    }
  }

  async #applyClean(
    { operations: names, purgeLimit, kept }: Extract<Maintenance, { kind: "clean" }>,
    asOf: Timestamp,
    note: (tx: Transaction) => void,
  ): Promise<void> {
    const { transactions, onMaintenance } = this.#options;
    const request: CleanRequest = { operations: new Set(names), purgeLimit };
    await this.#during(request, async () => {
      const events: MaintenanceEvent[] = [];
      await transactions.run(async (tx, caches) => {
        const work: Work = {
          now: asOf,
          retention: kept,
          request,
          isOrdered: true,
          signal: this.#closing.signal,
          report: (event) => events.push(event),
          rows: (sql) => tx.rows(sql),
          inTransaction: (change) => change(tx, caches),
        };
        for (const operation of dueOperations(request)) await this.#operate(operation, work);
        note(tx);
      });
      for (const event of events) onMaintenance(event);
      await this.#compactAfter(request);
    });
  }

  async #begin(request: CleanRequest): Promise<void> {
    await this.#during(request, () => this.#run(request));
  }

  async #during(request: CleanRequest, run: () => Promise<void>): Promise<void> {
    this.#requested = request.operations;
    this.#running = run();
    try {
      await this.#running;
      this.#lastRun = this.#options.clock.now();
    } finally {
      this.#running = undefined;
      this.#requested = new Set();
    }
  }

  async #run(request: CleanRequest): Promise<void> {
    const { clock, database, transactions, retention, onMaintenance: report } = this.#options;
    await this.#compacting;
    const { signal } = this.#closing;
    const work: Work = {
      now: clock.now(),
      retention,
      request,
      isOrdered: false,
      signal,
      report,
      rows: (sql) => this.#withMemory(() => database.rows(sql)),
      inTransaction: (transaction) => transactions.run(transaction),
    };
    for (const operation of dueOperations(request)) {
      if (!signal.aborted) await this.#attempt(operation, () => this.#operate(operation, work));
    }
    await this.#compactAfter(request);
  }

  /** Reads again, after a while, where queries use too much of the engine's memory at the moment. */
  async #withMemory<T>(read: () => Promise<T>): Promise<T> {
    const { signal } = this.#closing;
    for (let attempt = 1; attempt < MEMORY.attempts; attempt++) {
      try {
        return await read();
      } catch (error) {
        if (!isOutOfMemory(error)) throw error;
        await pause(MEMORY.pause, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
    return read();
  }

  async #operate(operation: Operation, work: Work): Promise<void> {
    const started = performance.now();
    work.report({ kind: "started", operation });
    const removed = await operations[operation].run(work);
    work.report({ kind: "ended", operation, ms: performance.now() - started, removed });
  }

  async #compactAfter(request: CleanRequest): Promise<void> {
    const frees = [...request.operations].some((operation) => operations[operation].frees);
    await this.#compacting;
    if (!this.#closing.signal.aborted && frees) {
      await this.#attempt("compaction", async (started) => {
        await this.#compact(started);
        // Tables were read completely that will not be read again soon.
        await this.#options.database.release();
      });
    }
  }

  async #compact(started: number): Promise<void> {
    const { database, onMaintenance: report } = this.#options;
    const compaction = await compact(database, this.#closing.signal, this.#left);
    if (compaction === undefined) return;
    const { before, after, left } = compaction;
    this.#left = left;
    if (after < before) report({ kind: "compacted", before, after, ms: performance.now() - started });
  }

  async #attempt(operation: Operation | "compaction", work: (started: number) => Promise<void>): Promise<void> {
    const started = performance.now();
    try {
      await work(started);
    } catch (thrown) {
      this.#failed(operation, thrown, performance.now() - started);
    }
  }

  #failed(operation: Operation | "compaction", thrown: unknown, ms: number): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (!this.#closing.signal.aborted) this.#options.onMaintenance({ kind: "failed", operation, error, ms });
  }
}

function isLimitValid({ purgeLimit }: CleanRequest): boolean {
  return purgeLimit === null || purgeLimit >= 0;
}

/** The operations to run, in their order. */
function dueOperations({ operations: requested }: CleanRequest): Operation[] {
  return operationNames.filter((name) => {
    const { within } = operations[name];
    return requested.has(name) && (within === undefined || !requested.has(within));
  });
}
