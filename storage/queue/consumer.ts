import type { Arrival, Ingester } from "../ingest/ingester.ts";
import type { PrepareResult } from "../ingest/prepare-result.ts";
import type { Submission } from "../ingest/submission.ts";
import type { Clock } from "../time.ts";
import type { Attempts } from "./attempts.ts";
import { BatchStore } from "./batch-store.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { CommandLog, NewEntry, QueueEntry } from "./entry.ts";
import type { CommandListener } from "./events.ts";
import { FailedCommands } from "./failed-commands.ts";
import { newCommand, newCommands } from "./new-command.ts";
import type { Accepted, Processing } from "./processing.ts";
import { RetriedLetters } from "./retried-letters.ts";
import { Stall } from "./stall.ts";
import { Storing } from "./storing.ts";

/** Accepts commands into a log and has them stored in its order. */
export interface Consumer {
  /** Commands that are not finished: waiting, being stored, postponed. */
  readonly depth: number;
  /** Commands that wait for another attempt. */
  readonly awaitingRetry: number;
  /** Whether nothing can be stored at present; it is retried until it succeeds. */
  readonly isStalled: boolean;
  /** Whether commands that an earlier process left wait for their first attempt. */
  readonly isCatchingUp: boolean;
  /** Begins with the commands that an earlier process left in the log. */
  start(entries: readonly QueueEntry[]): void;
  /**
   * Accepts a command; resolves when it is durable.
   * @param isAwaited whether the caller waits until it is processed
   * @throws CensusError "unavailable" when the log could not store it
   */
  accept(submission: Submission, isAwaited: boolean): Promise<Accepted>;
  /**
   * Accepts commands, all or none; resolves when they are durable.
   * @returns the number of commands
   * @throws errors of `submissions`; CensusError "unavailable" when the log could not store them
   */
  acceptAll(submissions: AsyncIterable<Submission>): Promise<number>;
  /** Resolves when all accepted commands were tried; those that failed are given up. */
  settle(): Promise<void>;
  /**
   * Stops.
   * @param afterAll whether all waiting commands are stored before; otherwise only the current batch is
   */
  close(afterAll: boolean): Promise<void>;
  /** The database file was reopened after an error: stores the commands again that it has lost. */
  reopened(): Promise<void>;
}

export interface QueueConsumerOptions {
  readonly log: CommandLog;
  readonly ingester: Ingester;
  readonly clock: Clock;
  /** Default: discarded commands are not stored. */
  readonly deadLetters?: DeadLetters | undefined;
  /** Default: commands in progress are not recorded. */
  readonly attempts?: Attempts | undefined;
  readonly onEvent: CommandListener;
  /** Receives a sentence about dead letters that cannot be accepted again. */
  readonly onNotice?: (text: string) => void;
}

/** Called with the result of the first attempt at a command. */
type Waiter = (processing: Processing) => void;

/** Stores the commands of this store's own log. */
export class QueueConsumer implements Consumer {
  readonly #options: QueueConsumerOptions;
  readonly #stall: Stall;
  readonly #failed: FailedCommands;
  readonly #storing: Storing;
  /** Callers that wait for the first attempt at a command, by its id. */
  readonly #waiters = new Map<number, Waiter>();
  readonly #admitting = new Set<Promise<unknown>>();
  readonly #letters: RetriedLetters | undefined;
  /** Commands that arrive while those before them are read from the log again. */
  #arrived: QueueEntry[] | undefined;
  /** The last command that an earlier process left, until it has been tried; then 0. */
  #lastLeft = 0;

  constructor(options: QueueConsumerOptions) {
    const { log, ingester, attempts, onEvent } = options;
    this.#options = options;
    this.#letters = options.deadLetters && new RetriedLetters(options.deadLetters, options.onNotice);
    const stall = new Stall(options);
    this.#stall = stall;
    this.#failed = new FailedCommands({ ...options, stall, retry: (entry) => this.#retry(entry) });
    const batches = new BatchStore({
      log,
      ingester,
      attempts,
      stall,
      onEvent,
      report: ({ id }, processing) => {
        this.#waiters.get(id)?.(processing);
        this.#waiters.delete(id);
      },
      prepare: (submissions) => ingester.prepare(submissions, ({ payload }) => !log.keepsPayload(payload.length, true)),
      persist: (work) => stall.retry(work),
      fail: (entry, error, isPrepared) => this.#failed.handle(entry, error, isPrepared),
      // The log's release skips postponed commands.
      settled: async (entry) => (entry.faults.length > 0 ? stall.retry(() => log.settle(entry.id)) : undefined),
    });
    this.#storing = new Storing({
      ingester,
      batches,
      attempts,
      supersedes: true,
      isAwaited: () => this.#waiters.size > 0,
      rewind: () => this.#rewind(),
      onStored: (batch) => {
        if (batch.some(({ entry }) => entry.id >= this.#lastLeft)) this.#lastLeft = 0;
      },
      onEvent,
    });
  }

  get depth(): number {
    return this.#storing.length + this.#failed.count;
  }

  get awaitingRetry(): number {
    return this.#failed.count;
  }

  get isStalled(): boolean {
    return this.#stall.isActive;
  }

  get isCatchingUp(): boolean {
    return this.#lastLeft > 0 && this.#storing.length > 0;
  }

  start(entries: readonly QueueEntry[]): void {
    this.#lastLeft = entries.at(-1)?.id ?? 0;
    for (const entry of entries) this.#storing.add(entry, { result: this.#discardResult(entry) });
    this.#storing.hurry();
    this.#letters?.start(async (entry, payload) => {
      await this.#admit(entry, payload);
      this.#storing.hurry();
    });
  }

  /** A result for a command that has ended the process too often, so that it is not tried again. */
  #discardResult(entry: QueueEntry): PrepareResult | undefined {
    const problem = this.#options.attempts?.problemOf(entry);
    return problem === undefined ? undefined : { problem, isDefect: false };
  }

  async accept(submission: Submission, isAwaited: boolean): Promise<Accepted> {
    const processed = Promise.withResolvers<Processing>();
    const waiter = isAwaited ? processed.resolve : undefined;
    const { log, ingester } = this.#options;
    const arrival = ingester.arrivalOf(submission);
    const { entry, payload } = newCommand(submission);
    const isPayloadFree = !log.keepsPayload(payload.length, arrival.result === undefined);
    const id = await this.#admit(entry, payload, arrival, waiter);
    return { id, processed: processed.promise, isPayloadFree };
  }

  async acceptAll(submissions: AsyncIterable<Submission>): Promise<number> {
    const started = performance.now();
    const entries = await this.#admitted(this.#options.log.appendAll(newCommands(submissions)));
    const ms = (performance.now() - started) / entries.length;
    // Without waiting in between, because commands that are appended later must follow them in the line.
    for (const entry of entries) {
      this.#options.onEvent({ kind: "received", entry, ms });
      this.#join(entry);
    }
    return entries.length;
  }

  async settle(): Promise<void> {
    await this.#finishAll();
    await this.#failed.giveUp();
  }

  async close(afterAll: boolean): Promise<void> {
    while (this.#admitting.size > 0) await Promise.allSettled(this.#admitting);
    if (afterAll) await this.#finishAll();
    this.#letters?.stop();
    this.#failed.close();
    await this.#storing.close(() => this.#stall.cancel());
    await this.#options.attempts?.pause();
  }

  async reopened(): Promise<void> {
    const { transactions } = this.#options.ingester;
    await transactions.reopened();
    if (transactions.isRewound) this.#storing.begin();
  }

  async #finishAll(): Promise<void> {
    while (this.#admitting.size > 0) await Promise.allSettled(this.#admitting);
    await this.#storing.finished();
  }

  async #admit(entry: NewEntry, payload: Uint8Array, arrival: Arrival = {}, waiter?: Waiter): Promise<number> {
    const started = performance.now();
    const added = await this.#admitted(this.#options.log.append(entry, payload, arrival.result === undefined));
    if (waiter !== undefined) this.#waiters.set(added.id, waiter);
    this.#options.onEvent({ kind: "received", entry: added, ms: performance.now() - started });
    this.#join(added, arrival);
    if (waiter !== undefined) this.#storing.hurry();
    return added.id;
  }

  /** The result of appending, for which {@link close} waits. */
  async #admitted<T>(appending: Promise<T>): Promise<T> {
    this.#admitting.add(appending);
    try {
      return await this.#stall.whileAccepting(appending);
    } finally {
      this.#admitting.delete(appending);
    }
  }

  #join(entry: QueueEntry, arrival?: Arrival): void {
    if (this.#arrived === undefined) this.#storing.add(entry, arrival);
    else this.#arrived.push(entry);
  }

  #retry(entry: QueueEntry): void {
    this.#storing.add(entry);
    this.#storing.hurry();
  }

  /** Puts all commands in line again, in their order, that the log has and the engine does not. */
  async #rewind(): Promise<void> {
    const { log, ingester, onEvent } = this.#options;
    const arrived: QueueEntry[] = (this.#arrived = []);
    try {
      const { entries, through } = await this.#stall.retry(() => log.retained(ingester.progress.committed));
      const lost = entries.filter(({ id }) => !this.#failed.isPostponed(id));
      this.#storing.replaceAll([...lost, ...arrived.filter(({ id }) => id > through)]);
      onEvent({ kind: "rewound", commands: lost.length });
    } finally {
      this.#arrived = undefined;
    }
  }
}
