import type { Database } from "../engine/database.ts";
import { CensusError } from "../errors.ts";
import type { WriteTransactions } from "../ingest/write/transactions.ts";
import type { Clock, Timestamp } from "../time.ts";
import { compact } from "./compaction.ts";
import type { MaintenanceListener } from "./events.ts";
import { fileSpace } from "./file-space.ts";
import { cleaningText, operations } from "./operations.ts";
import { type Operation, operationNames } from "./operation.ts";
import { removeNodes } from "./purge-nodes.ts";
import type { CleanRequest } from "./request.ts";
import type { Retention } from "./retention.ts";
import { jobsFor } from "./schedule.ts";
import { type SummaryStatistics, summaryStatistics } from "./summary-statistics.ts";
import { Timetable } from "./timetable.ts";
import type { Work } from "./work.ts";

export interface LifecycleOptions {
  readonly database: Database;
  readonly transactions: WriteTransactions;
  readonly clock: Clock;
  readonly retention: Retention;
  readonly onMaintenance: MaintenanceListener;
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
  readonly #timetable: Timetable;
  #requested: ReadonlySet<Operation> = new Set();
  #running: Promise<void> | undefined;
  #lastRun: Timestamp | undefined;
  #compacting: Promise<void> | undefined;
  /** Used blocks when {@link compactGrown} last checked and compacted the file. */
  #compacted = 0;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#timetable = new Timetable(jobsFor(options.retention), async ({ request }) => {
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
    if (this.#running !== undefined) throw new CensusError("conflict", "Another cleanup is already in progress");
    await this.#begin(request);
  }

  /** Removes everything about a node, known or not; waiting commands may add it again. */
  async deleteNode(certname: string): Promise<void> {
    await this.#options.transactions.run(async (tx, { nodes }) => {
      const node = nodes.get(certname);
      if (node !== undefined) await removeNodes(tx, nodes, [node]);
    });
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

  /** Figures about the stored data (`reference/lifecycle.md §7.3`). */
  async summaryStatistics(): Promise<SummaryStatistics> {
    return summaryStatistics(this.#options.database, this.#options.clock);
  }

  /** Ends the running operation at its next step and begins no more. */
  async close(): Promise<void> {
    this.#closing.abort(new CensusError("unavailable", "the store is being closed"));
    await this.#timetable.close();
    await this.#running;
    await this.#compacting;
  }

  async #begin(request: CleanRequest): Promise<void> {
    this.#requested = request.operations;
    this.#running = this.#run(request);
    try {
      await this.#running;
      this.#lastRun = this.#options.clock.now();
    } finally {
      this.#running = undefined;
      this.#requested = new Set();
    }
  }

  async #run(request: CleanRequest): Promise<void> {
    const { clock, transactions, retention, onMaintenance: report } = this.#options;
    await this.#compacting;
    const { signal } = this.#closing;
    const work: Work = {
      now: clock.now(),
      retention,
      request,
      signal,
      report,
      inTransaction: (transaction) => transactions.run(transaction),
    };
    const requested = operationNames.filter((name) => request.operations.has(name));
    for (const operation of requested) {
      const { run, within } = operations[operation];
      if (signal.aborted || (within !== undefined && request.operations.has(within))) continue;
      await this.#attempt(operation, async (started) => {
        report({ kind: "started", operation });
        const removed = await run(work);
        report({ kind: "ended", operation, ms: performance.now() - started, removed });
      });
    }
    if (!signal.aborted && requested.some((operation) => operations[operation].frees)) {
      await this.#attempt("compaction", async (started) => {
        await this.#compact(started);
        // Tables were read completely that will not be read again soon.
        await this.#options.database.release();
      });
    }
  }

  async #compact(started: number): Promise<void> {
    const { database, onMaintenance: report } = this.#options;
    const compaction = await compact(database, this.#closing.signal);
    if (compaction !== undefined) report({ kind: "compacted", ...compaction, ms: performance.now() - started });
  }

  async #attempt(operation: Operation | "compaction", work: (started: number) => Promise<void>): Promise<void> {
    const started = performance.now();
    try {
      await work(started);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const ms = performance.now() - started;
      if (!this.#closing.signal.aborted) this.#options.onMaintenance({ kind: "failed", operation, error, ms });
    }
  }
}
