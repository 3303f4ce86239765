import type { Database } from "../engine/database.ts";
import { CensusError } from "../errors.ts";
import type { WriteTransactions } from "../ingest/write/transactions.ts";
import type { Clock } from "../time.ts";
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
 * A file that has grown to so many times what it held the last time is compacted as soon as nothing comes in, unless it has
 * more blocks (64 MB), for which it would take longer than some two seconds.
 */
const WAVE = { grown: 1.25, most: 256 };

/** How nodes and what is known of them come to an end: by themselves after a time, or when asked to. */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #closing = new AbortController();
  readonly #timetable: Timetable;
  #asked: ReadonlySet<Operation> = new Set();
  #running: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  /** Blocks that were in use when the file was last looked at for {@link compactGrown}, and compacted. */
  #compacted = 0;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#timetable = new Timetable(jobsFor(options.retention), async ({ request }) => {
      while (this.#running !== undefined) await this.#running;
      if (!this.#closing.signal.aborted) await this.#begin(request);
    });
  }

  /** What is going on, in the words of the metric; empty when nothing is (`reference/lifecycle.md §7.4`). */
  get cleaning(): string {
    return cleaningText(this.#asked);
  }

  /**
   * Does what is asked for, in the operations' own order. One that fails is told to the listener and does not keep the
   * others from being done.
   * @throws CensusError "conflict" while another run goes on
   */
  async clean(request: CleanRequest): Promise<void> {
    if (this.#running !== undefined) throw new CensusError("conflict", "Another cleanup is already in progress");
    await this.#begin(request);
  }

  /** Removes everything about a node, known or not; commands that wait may bring it back. */
  async deleteNode(certname: string): Promise<void> {
    await this.#options.transactions.run(async (tx, { nodes }) => {
      const node = nodes.get(certname);
      if (node !== undefined) await removeNodes(tx, nodes, [node]);
    });
  }

  /**
   * Makes a file smaller that has grown much, as the first reports of a fleet make it, after which much of it may be free:
   * maintenance, which looks at any file, may be an hour away.
   */
  async compactGrown(): Promise<void> {
    const { database } = this.#options;
    if (database.place === "memory" || this.#running !== undefined || this.#compacting !== undefined) return;
    this.#compacting = this.#attempt("compaction", async (started) => {
      const { total, free } = await fileSpace(database);
      const blocks = total - free;
      if (blocks > WAVE.most || blocks < this.#compacted * WAVE.grown) return;
      await this.#compact(started);
      this.#compacted = blocks;
    });
    await this.#compacting;
    this.#compacting = undefined;
  }

  /** Figures about what is stored (`reference/lifecycle.md §7.3`). */
  async summaryStatistics(): Promise<SummaryStatistics> {
    return summaryStatistics(this.#options.database, this.#options.clock);
  }

  /** Ends what is going on at the next step and begins nothing more. */
  async close(): Promise<void> {
    this.#closing.abort(new CensusError("unavailable", "the store is being closed"));
    await this.#timetable.close();
    await this.#running;
    await this.#compacting;
  }

  async #begin(request: CleanRequest): Promise<void> {
    this.#asked = request.operations;
    this.#running = this.#run(request);
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
      this.#asked = new Set();
    }
  }

  async #run(request: CleanRequest): Promise<void> {
    const { clock, transactions, retention, onMaintenance: tell } = this.#options;
    await this.#compacting;
    const { signal } = this.#closing;
    const work: Work = {
      now: clock.now(),
      retention,
      request,
      signal,
      tell,
      inTransaction: (transaction) => transactions.run(transaction),
    };
    const asked = operationNames.filter((name) => request.operations.has(name));
    for (const operation of asked) {
      const { run, within } = operations[operation];
      if (signal.aborted || (within !== undefined && request.operations.has(within))) continue;
      await this.#attempt(operation, async (started) => {
        tell({ kind: "started", operation });
        const removed = await run(work);
        tell({ kind: "ended", operation, ms: performance.now() - started, removed });
      });
    }
    if (!signal.aborted && asked.some((operation) => operations[operation].frees)) {
      await this.#attempt("compaction", async (started) => {
        await this.#compact(started);
        // Tables were read from end to end that will not be again for a while.
        await this.#options.database.release();
      });
    }
  }

  async #compact(started: number): Promise<void> {
    const { database, onMaintenance: tell } = this.#options;
    const compaction = await compact(database, this.#closing.signal);
    if (compaction !== undefined) tell({ kind: "compacted", ...compaction, ms: performance.now() - started });
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
