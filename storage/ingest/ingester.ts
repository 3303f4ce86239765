import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";
import type { HistorySource } from "../history/archived/restore.ts";
import { Recorder } from "../history/recorder.ts";
import type { Retention } from "../lifecycle/retention.ts";
import { isMemoryTight, waitForMemory } from "../memory/guard.ts";
import type { InactiveNodes } from "../nodes/inactive-nodes.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import { type Clock, endOfTime, type Timestamp } from "../time.ts";
import type { Outcome } from "./outcome.ts";
import { errorOf, type PrepareResult, type PrepareTask, unchangedResult } from "./prepare-result.ts";
import type { Prepared } from "./prepared.ts";
import { NodeDigests } from "./shortcuts/node-digests.ts";
import { type SteadyDigests, storedSteadyDigests } from "./shortcuts/volatile-part.ts";
import type { Submission } from "./submission.ts";
import { PreparePool, type PreparePoolOptions } from "./threads/pool.ts";
import { QueueProgress } from "./write/queue-progress.ts";
import type { WriteOptions } from "./write/reports.ts";
import { WriteTransactions } from "./write/transactions.ts";
import { Writer } from "./write/writer.ts";

/** Larger payloads, in bytes, are not digested on arrival: that would block the event loop for 0.17 ms. */
const MAX_DIGESTED = 256 * 1024;

export interface IngesterOptions extends Omit<PreparePoolOptions, "volatileFacts"> {
  readonly nodes: NodeIndex;
  readonly inactiveNodes: InactiveNodes;
  readonly clock: Clock;
  readonly retention: Retention;
  /** See {@link WriteOptions}. */
  readonly storesCorrectiveChange?: boolean | undefined;
  /** How changes of nodes are recorded; undefined: they are not. */
  readonly history?: { readonly volatileFacts: readonly string[] } | undefined;
  /** Whether commands come from a log that other stores follow too: then equal commands must make equal rows. */
  readonly isFollowing?: boolean | undefined;
  /** The identity of the queue whose progress is noted; default: none outlives the process. */
  readonly queue?: string | undefined;
  /** See {@link QueueProgress}. */
  readonly markOf?: ((id: number) => string | undefined) | undefined;
}

/** Turns commands into rows: prepares them on other threads and writes them in transactions, one after another. */
export class Ingester {
  /** The transactions that write, also for changes of the tables other than by commands. */
  readonly transactions: WriteTransactions;
  /** How far the commands of the queue are stored. */
  readonly progress: QueueProgress;
  readonly #digests: NodeDigests;
  readonly #writer: Writer;
  readonly #pool: PreparePool;
  readonly #options: IngesterOptions;

  constructor(database: Database, options: IngesterOptions) {
    const { nodes, inactiveNodes, queue, history, isFollowing = false } = options;
    this.#options = options;
    const recorder = history && new Recorder(history.volatileFacts, options.clock, () => nodes.size);
    this.#pool = new PreparePool({ ...options, volatileFacts: history?.volatileFacts });
    this.#digests = new NodeDigests(nodes);
    this.#writer = new Writer(nodes, this.#digests, recorder, isFollowing);
    this.progress = new QueueProgress(queue, options.markOf);
    const { progress } = this;
    this.transactions = new WriteTransactions({ database, inactiveNodes, progress, caches: this.#writer });
  }

  /** Whether changes of nodes are recorded. */
  get recordsChanges(): boolean {
    return this.#options.history !== undefined;
  }

  /**
   * Prepares a command on arrival if its content is what its node has stored, which takes less time than sending it to
   * another thread. Packed and large payloads are left to the threads.
   * @returns undefined where the content differs, or where this cannot be determined quickly
   */
  prepareUnchanged(submission: Submission): PrepareResult | undefined {
    const { encoding, payload } = submission;
    if (encoding !== undefined || payload.length > MAX_DIGESTED) return undefined;
    const storedDigest = this.#digests.of(submission);
    return storedDigest === undefined ? undefined : unchangedResult(submission, storedDigest);
  }

  /**
   * Parses, checks and shapes commands.
   * @param isOwned see {@link PreparePool.prepare}
   * @returns one result per command, in their order
   */
  async prepare(
    submissions: readonly Submission[],
    isOwned?: (submission: Submission) => boolean,
  ): Promise<PrepareResult[]> {
    if (isMemoryTight()) await waitForMemory();
    return this.#pool.prepare(
      submissions.map((submission) => ({
        submission,
        storedDigest: this.#digests.of(submission),
        storedSteady: this.#storedSteady(submission),
      })),
      isOwned,
    );
  }

  /**
   * Stores commands in one transaction, which also records that the queue has been processed up to `through`.
   * @param submissionAt reads a command again by its index in `commands`: one that was unchanged when it was prepared
   *   may have to be prepared in full, because the node's content changes before its turn
   * @returns the outcome of each command, in their order
   */
  async write(
    commands: readonly Prepared[],
    submissionAt: (index: number) => Promise<Submission>,
    through?: number,
  ): Promise<Outcome[]> {
    return this.transactions.run(async (tx) => {
      const outcomes = await this.writeIn(tx, commands, submissionAt);
      if (through !== undefined) this.progress.note(tx, through);
      return outcomes;
    });
  }

  /** The same in a transaction that is open. */
  async writeIn(
    tx: Transaction,
    commands: readonly Prepared[],
    submissionAt: (index: number) => Promise<Submission>,
  ): Promise<Outcome[]> {
    return this.#writer.write(tx, await this.#completed(commands, submissionAt), this.#writeOptions());
  }

  /** Restores the history of an archive whose commands were written in the same transaction. */
  async restoreHistory(tx: Transaction, source: HistorySource, wasEmpty: boolean): Promise<void> {
    await this.#writer.restoreHistory(tx, source, { wasEmpty, now: this.#options.clock.now() });
  }

  /** Records that the queue has been processed up to `through`, unless that is recorded already. */
  async noteProgress(through: number): Promise<void> {
    if (this.progress.isNoted(through)) return;
    await this.transactions.run(async (tx) => this.progress.note(tx, through));
  }

  #storedSteady({ command, certname }: Submission): SteadyDigests | undefined {
    return command === "replace facts" ? storedSteadyDigests(this.#options.nodes.get(certname)) : undefined;
  }

  /** Prepares those commands in full that are not unchanged any more. */
  async #completed(
    commands: readonly Prepared[],
    submissionAt: (index: number) => Promise<Submission>,
  ): Promise<readonly Prepared[]> {
    const outdated = this.#writer.outdated(commands);
    if (outdated.length === 0) return commands;
    const submissions = await Promise.all(outdated.map(submissionAt));
    const tasks = submissions.map((submission): PrepareTask => ({ submission, storedDigest: undefined }));
    const results = await this.#pool.prepare(tasks);
    const completed = [...commands];
    for (const [position, result] of results.entries()) {
      // It was valid when it was prepared the first time.
      if (!("prepared" in result)) throw errorOf(result);
      completed[outdated[position] ?? 0] = result.prepared;
    }
    return completed;
  }

  /** Returns memory of the threads to the system. */
  async shrink(): Promise<void> {
    await this.#pool.shrink();
  }

  /** Ends the threads until commands come again. */
  async endIdleThreads(): Promise<void> {
    await this.#pool.endIdle();
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  #writeOptions(): WriteOptions {
    const { clock, isFollowing = false, storesCorrectiveChange = false } = this.#options;
    const now = clock.now();
    return {
      // When a report is stored differs between the stores that follow a log.
      eventHorizon: ({ received }) => this.#eventHorizon(isFollowing ? received : now),
      storesCorrectiveChange,
    };
  }

  #eventHorizon(now: Timestamp): Timestamp | null {
    const { resourceEventsTtl } = this.#options.retention;
    if (resourceEventsTtl === null) return null;
    // With a time to live of 0 no event is stored, not even one with a time in the future.
    return resourceEventsTtl === 0n ? endOfTime : now - resourceEventsTtl;
  }
}
