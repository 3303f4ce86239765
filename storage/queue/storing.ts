import { isHeavy } from "../ingest/heavy.ts";
import type { Arrival, Ingester } from "../ingest/ingester.ts";
import { Pipeline } from "../ingest/pipeline.ts";
import type { PrepareResult } from "../ingest/prepare-result.ts";
import { Rewound } from "../ingest/write/transactions.ts";
import { batchLimits } from "../memory/budget.ts";
import type { Attempts } from "./attempts.ts";
import { BackOff } from "./back-off.ts";
import type { BatchStore } from "./batch-store.ts";
import { BatchTimer } from "./batch-timer.ts";
import type { QueueEntry } from "./entry.ts";
import type { CommandListener } from "./events.ts";
import { hasHeavy } from "./heavy-turn.ts";
import { type Waiting, WaitingLine } from "./waiting-line.ts";

export interface StoringOptions {
  readonly ingester: Ingester;
  readonly batches: BatchStore;
  /** See {@link WaitingLine}. */
  readonly supersedes: boolean;
  readonly attempts?: Attempts | undefined;
  /** Whether a caller waits for a command. */
  readonly isAwaited: () => boolean;
  /** Puts all commands in line again that the log has and the engine does not. */
  readonly rewind: () => Promise<void>;
  /** A batch has left the line. */
  readonly onStored: (batch: readonly Waiting[]) => void;
  readonly onEvent: CommandListener;
}

/** Has the commands in a line stored in their order, many per transaction: what arrives during one is stored in the next. */
export class Storing {
  readonly #options: StoringOptions;
  readonly #line: WaitingLine;
  readonly #timer = new BatchTimer();
  #draining: Promise<void> | undefined;
  /** Commands that are taken from the line and not finished. */
  #inProgress = 0;
  #isClosing = false;

  constructor(options: StoringOptions) {
    this.#options = options;
    this.#line = new WaitingLine(options.supersedes);
  }

  /** Commands that wait or are being stored. */
  get length(): number {
    return this.#line.length + this.#inProgress;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Puts a command in line. */
  add(entry: QueueEntry, arrival?: Arrival): void {
    const obsolete = this.#line.add(entry, arrival);
    if (obsolete !== undefined) this.#options.onEvent({ kind: "superseded", entry: obsolete.entry });
    if (this.#line.isWorth(batchLimits)) this.#timer.expire();
    this.begin();
  }

  /** Replaces all commands in line. To be called by `rewind`. */
  replaceAll(entries: Iterable<QueueEntry>): void {
    this.#line.clear();
    this.#inProgress = 0;
    for (const entry of entries) this.#line.add(entry);
    this.#options.ingester.transactions.resume();
  }

  /** Has what waits stored now, rather than with commands that may come. */
  hurry(): void {
    this.#timer.expire();
  }

  /** Begins to store what waits, unless that has begun. */
  begin(): void {
    if (!this.#isClosing) this.#draining ??= this.#drain();
  }

  /** Resolves when all commands are stored, or the line is closing. */
  async finished(): Promise<void> {
    this.#timer.expire();
    while (this.#draining !== undefined && !this.#isClosing) await this.#draining;
  }

  /** Nothing more is stored after the present batch; resolves when that is over. @param cancel ends its pauses */
  async close(cancel: () => void): Promise<void> {
    this.#isClosing = true;
    this.#timer.expire();
    cancel();
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Lets every request of this turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (!(await this.#storeAll())) await this.#options.rewind();
    } catch (error) {
      // Closing while the queue is halted: the commands that are in progress stay in the log.
      if (error !== BackOff.cancelled) throw error;
    } finally {
      this.#draining = undefined;
    }
    // A command that arrived between the last check of the line and now.
    if (this.#line.length > 0 && !this.#isClosing) this.#draining = this.#drain();
  }

  /** @returns false where the engine has lost commands that had been stored */
  async #storeAll(): Promise<boolean> {
    const { batches, ingester, onStored } = this.#options;
    const pipeline = new Pipeline<readonly Waiting[], readonly PrepareResult[]>({
      next: () => this.#nextBatch(),
      nextAhead: async (current, prepared) => {
        // By then more commands have arrived.
        await prepared;
        return this.#timer.isDue && this.#mayPrepareDuring(current) ? this.#take() : undefined;
      },
      prepare: (batch) => batches.prepare(batch),
      write: async (batch, results) => {
        const began = performance.now();
        await batches.store(batch, results);
        this.#timer.stored(performance.now() - began);
        this.#inProgress -= batch.length;
        await batches.release(batch);
        onStored(batch);
      },
    });
    try {
      if (ingester.transactions.isRewound) return false;
      await pipeline.run();
      return true;
    } catch (error) {
      if (!(error instanceof Rewound)) throw error;
      return false;
    } finally {
      batches.abandon();
    }
  }

  async #nextBatch(): Promise<readonly Waiting[] | undefined> {
    if (this.#line.length === 0 || this.#isClosing) return undefined;
    await this.#timer.wait(() => this.#line.length);
    return this.#take();
  }

  /** Whether the next batch may be prepared while this one is written: neither has to be alone, and there is memory. */
  #mayPrepareDuring(current: readonly Waiting[]): boolean {
    if (this.#options.attempts?.isAlone() === true) return false;
    return !isHeavy(this.#line.nextWeight) && !hasHeavy(current);
  }

  #take(): readonly Waiting[] | undefined {
    if (this.#isClosing || this.#line.length === 0) return undefined;
    const { attempts, isAwaited } = this.#options;
    const batch = this.#line.take(batchLimits, attempts && ((entry) => attempts.isAlone(entry)));
    this.#timer.restart(batch.length, this.#line.isWorth(batchLimits) || isAwaited());
    this.#inProgress += batch.length;
    return batch;
  }
}
