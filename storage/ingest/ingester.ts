import type { ArchivePart } from "../archive/document-kinds.ts";
import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";
import type { HistorySource } from "../history/archived/restore.ts";
import { Recorder } from "../history/recorder.ts";
import type { Retention } from "../lifecycle/retention.ts";
import { isMemoryTight, waitForMemory } from "../memory/guard.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import { type Clock, endOfTime, type Timestamp } from "../time.ts";
import { ContentDigests } from "./content-digests.ts";
import type { Outcome } from "./outcome.ts";
import { errorOf, type PrepareResult, unchangedResult } from "./prepare-result.ts";
import type { Prepared } from "./prepared.ts";
import type { Submission } from "./submission.ts";
import { PreparePool, type PreparePoolOptions } from "./threads/pool.ts";
import { QueueProgress } from "./write/queue-progress.ts";
import type { WriteOptions } from "./write/reports.ts";
import { WriteTransactions } from "./write/transactions.ts";
import { Writer } from "./write/writer.ts";

/** What is known of a command on its arrival. */
export interface Arrival {
  /** See {@link Submission.content}. */
  readonly content?: Submission["content"] | undefined;
  /** Of a command that needs no more work, or that must not be prepared. */
  readonly result?: PrepareResult | undefined;
}

export interface IngesterOptions extends Omit<PreparePoolOptions, "volatileFacts"> {
  readonly nodes: NodeIndex;
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
  readonly #digests: ContentDigests;
  readonly #writer: Writer;
  readonly #pool: PreparePool;
  readonly #options: IngesterOptions;

  constructor(database: Database, options: IngesterOptions) {
    const { nodes, queue, history, isFollowing = false } = options;
    this.#options = options;
    const recorder = history && new Recorder(history.volatileFacts, options.clock, () => nodes.size);
    this.#pool = new PreparePool({ ...options, volatileFacts: history?.volatileFacts });
    this.#digests = new ContentDigests(nodes);
    this.#writer = new Writer(nodes, this.#digests, recorder, isFollowing);
    this.progress = new QueueProgress(queue, options.markOf);
    const { progress } = this;
    this.transactions = new WriteTransactions({ database, progress, caches: this.#writer });
  }

  /** Whether changes of nodes are recorded. */
  get recordsChanges(): boolean {
    return this.#options.history !== undefined;
  }

  /** What is known of a command before its turn: it is prepared if its content is what its node has stored. */
  arrivalOf(submission: Submission): Arrival {
    const { content } = submission;
    if (content == null) return { content };
    const isStored = content.digest === this.#digests.of(submission);
    return {
      content: { digest: content.digest, head: undefined },
      result: isStored ? unchangedResult(submission, content) : undefined,
    };
  }

  /** The digest of the stored content that a command of this name would replace; undefined if it is not known. */
  digestOf(command: Pick<Submission, "certname" | "command">): string | undefined {
    return this.#digests.of(command);
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
    return this.#pool.prepare(submissions, isOwned);
  }

  /**
   * Stores commands in one transaction, which also records that the queue has been processed up to `through`.
   * @param submissionAt reads a command by its index in `commands`: the content of one that was unchanged on its arrival is needed if
   *   another one is stored at its turn
   * @returns the outcome of each command, in their order
   */
  async write(
    commands: readonly Prepared[],
    submissionAt: (index: number) => Promise<Submission>,
    through?: number,
  ): Promise<Outcome[]> {
    let complete = commands;
    for (;;) {
      complete = await this.#completed(complete, submissionAt);
      const outcomes = await this.transactions.run(async (tx) => {
        // Maintenance may have changed what is stored before this transaction began.
        if (this.#writer.lackingContent(complete).length > 0) return undefined;
        const written = await this.writeIn(tx, complete);
        if (through !== undefined) this.progress.note(tx, through);
        return written;
      });
      if (outcomes !== undefined) return outcomes;
    }
  }

  /** The same in a transaction that is open, for commands whose content was read. */
  async writeIn(tx: Transaction, commands: readonly Prepared[]): Promise<Outcome[]> {
    const outcomes = await this.writeBatch(tx, commands);
    await this.writeFailures(tx);
    return outcomes;
  }

  /** One of several batches of an archive, which end with {@link writeFailures} or {@link endPart}. */
  async writeBatch(tx: Transaction, commands: readonly Prepared[]): Promise<Outcome[]> {
    return this.#writer.write(tx, commands, this.#writeOptions());
  }

  /** Stores the failures of the reports that the transaction has written. */
  async writeFailures(tx: Transaction): Promise<void> {
    await this.#writer.writeFailures(tx);
  }

  /** Begins to add a part of an archive to a store that has others. */
  async beginPart(tx: Transaction, { stored, adds }: ArchivePart): Promise<void> {
    if (stored !== undefined) await this.#writer.forgetDocuments(tx, adds);
  }

  /** Ends a part of an archive. Failures are stored as soon as there are both reports and facts. */
  async endPart(tx: Transaction, { stored = new Set(), adds }: ArchivePart): Promise<void> {
    const all = new Set([...stored, ...adds]);
    if (!all.has("reports") || !all.has("facts")) this.#writer.leaveFailures();
    else if (adds.has("reports")) await this.#writer.writeFailures(tx);
    else if (adds.has("facts")) await this.#writer.writeAllFailures(tx);
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

  /** Reads the content of commands that need it. */
  async #completed(
    commands: readonly Prepared[],
    submissionAt: (index: number) => Promise<Submission>,
  ): Promise<readonly Prepared[]> {
    const lacking = this.#writer.lackingContent(commands);
    if (lacking.length === 0) return commands;
    const results = await this.#pool.prepare(await Promise.all(lacking.map(submissionAt)));
    const completed = [...commands];
    for (const [position, result] of results.entries()) {
      // What may differ from the stored content was valid on its arrival.
      if (!("prepared" in result)) throw errorOf(result);
      completed[lacking[position] ?? 0] = result.prepared;
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
