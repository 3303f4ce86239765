import { randomUUID } from "node:crypto";
import { isHeavy } from "../ingest/heavy.ts";
import type { Ingester } from "../ingest/ingester.ts";
import type { Maintenance, Turn } from "../lifecycle/maintenance.ts";
import { Pipeline } from "../ingest/pipeline.ts";
import type { PrepareResult } from "../ingest/prepare-result.ts";
import type { Submission } from "../ingest/submission.ts";
import { Rewound } from "../ingest/write/transactions.ts";
import { memoryBudget } from "../memory/budget.ts";
import type { Clock } from "../time.ts";
import type { Attempts } from "./attempts.ts";
import { BackOff } from "./back-off.ts";
import { BatchStore } from "./batch-store.ts";
import { BatchTimer } from "./batch-timer.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { CommandLog, LoggedMaintenance, NewEntry, QueueEntry, SharedLog } from "./entry.ts";
import type { CommandListener } from "./events.ts";
import { FailedCommands } from "./failed-commands.ts";
import { hasHeavy } from "./heavy-turn.ts";
import { type FollowedLine, LogFollower } from "./log-follower.ts";
import { newCommand, newCommands } from "./new-command.ts";
import type { Accepted, Processing, Taken } from "./processing.ts";
import { Stall } from "./stall.ts";
import { WaitingLine } from "./waiting-line.ts";

/** Milliseconds between checks for dead letters that were returned to the queue. */
const CHECK_INTERVAL = 3000;

export interface QueueConsumerOptions {
  readonly log: CommandLog;
  readonly ingester: Ingester;
  readonly clock: Clock;
  /** Default: discarded commands are not stored. */
  readonly deadLetters?: DeadLetters | undefined;
  /** Default: commands in progress are not recorded. */
  readonly attempts?: Attempts | undefined;
  /** The log where several stores follow it: then commands are stored when they come back from it. */
  readonly shared?: SharedLog | undefined;
  /** Does what a shared log requests, and notes its id in the same transaction. */
  readonly maintain?: ((entry: LoggedMaintenance) => Promise<void>) | undefined;
  readonly onEvent: CommandListener;
}

/** Called with the result of the first attempt at a command. */
type Waiter = (processing: Processing) => void;

/** What is known of a command on its arrival, besides the command. */
interface Arrival {
  readonly waiter?: Waiter | undefined;
  readonly result?: PrepareResult | undefined;
}

/**
 * Accepts commands into the queue and has them stored in their order, many per transaction: what arrives while one
 * transaction runs is prepared meanwhile and stored in the next.
 */
export class QueueConsumer {
  readonly #options: QueueConsumerOptions;
  /** The limits of one transaction on commands and on bytes of payload. */
  readonly #batch = memoryBudget().batch;
  readonly #line: WaitingLine<PrepareResult>;
  readonly #timer = new BatchTimer();
  readonly #stall: Stall;
  readonly #failed: FailedCommands;
  readonly #store: BatchStore;
  /** Callers that wait for the first attempt at a command, by its id, or by its mark where it has one. */
  readonly #waiters = new Map<number | string, Waiter>();
  /** Undefined: the log is this store's own. */
  readonly #follower: LogFollower | undefined;
  readonly #admitting = new Set<Promise<unknown>>();
  #draining: Promise<void> | undefined;
  #checkTimer: NodeJS.Timeout | undefined;
  /** Commands that are taken from the line and not finished. */
  #inProgress = 0;
  /** Commands that arrive while those before them are read from the log again. */
  #arrived: QueueEntry[] | undefined;
  #isClosing = false;
  /** The last command that an earlier process left, until it has been tried; then 0. */
  #lastLeft = 0;

  constructor(options: QueueConsumerOptions) {
    this.#options = options;
    const keepsOrder = options.shared !== undefined;
    this.#line = new WaitingLine(!keepsOrder);
    this.#stall = new Stall(options);
    this.#failed = new FailedCommands({ ...options, stall: this.#stall, retry: (entry) => this.#retry(entry) });
    const report = (entry: QueueEntry, processing: Processing): void => this.#report(entry, processing);
    this.#store = new BatchStore({ ...options, stall: this.#stall, failed: this.#failed, report, keepsOrder });
    this.#follower = options.shared && this.#followerOf(options.shared);
  }

  #followerOf(log: SharedLog): LogFollower {
    const { ingester, clock, maintain, onEvent } = this.#options;
    const line: FollowedLine = {
      length: () => this.#line.length + this.#inProgress,
      isClosing: () => this.#isClosing,
      join: (entry) => this.#join(entry),
      isAwaited: (mark) => this.#waiters.has(mark),
      hurry: () => this.#timer.expire(),
      emptied: async () => {
        while (this.#draining !== undefined && !this.#isClosing) await this.#draining;
      },
    };
    return new LogFollower({ log, ingester, clock, stall: this.#stall, maintain, onEvent }, line);
  }

  /** Commands that are not finished: waiting, being stored, postponed. */
  get depth(): number {
    return this.#line.length + this.#inProgress + this.#failed.count;
  }

  /** Commands that wait for another attempt. */
  get awaitingRetry(): number {
    return this.#failed.count;
  }

  /** Whether nothing can be stored at present; it is retried until it succeeds. */
  get isStalled(): boolean {
    return this.#stall.isActive;
  }

  /** Whether commands that an earlier process left wait for their first attempt. */
  get isCatchingUp(): boolean {
    return this.#lastLeft > 0 && this.#line.length + this.#inProgress > 0;
  }

  /** Begins with the commands that an earlier process left in the log. */
  start(entries: readonly QueueEntry[]): void {
    this.#lastLeft = entries.at(-1)?.id ?? 0;
    for (const entry of entries) this.#join(entry, this.#discardResult(entry));
    this.#timer.expire();
    this.#follower?.follow();
    const { deadLetters } = this.#options;
    if (deadLetters === undefined) return;
    const look = async (): Promise<void> => {
      const admit = async (entry: NewEntry, payload: Uint8Array): Promise<void> => {
        await this.#admit(entry, payload);
        this.#timer.expire();
      };
      await deadLetters.acceptRetried(admit).catch(() => undefined);
      if (this.#isClosing) return;
      this.#checkTimer = setTimeout(() => void look(), CHECK_INTERVAL).unref();
    };
    void look();
  }

  /** A result for a command that has ended the process too often, so that it is not tried again. */
  #discardResult(entry: QueueEntry): PrepareResult | undefined {
    const problem = this.#options.attempts?.problemOf(entry);
    return problem === undefined ? undefined : { problem, isDefect: false };
  }

  /**
   * Accepts a command; resolves when it is durable.
   * @param isAwaited whether the caller waits until it is processed
   * @throws CensusError "unavailable" when the log could not store it
   */
  async accept(submission: Submission, isAwaited: boolean): Promise<Accepted> {
    const processed = Promise.withResolvers<Processing>();
    const waiter = isAwaited ? processed.resolve : undefined;
    const { log, shared, ingester } = this.#options;
    const result = shared === undefined ? ingester.prepareUnchanged(submission) : undefined;
    const { entry, payload } = newCommand(submission);
    const isPayloadFree = shared !== undefined || !log.keepsPayload(payload.length, result === undefined);
    const id = await this.#admit(entry, payload, { waiter, result });
    return { id, processed: processed.promise, isPayloadFree };
  }

  /**
   * Accepts commands, all or none; resolves when they are durable.
   * @returns the number of commands
   * @throws errors of `submissions`; CensusError "unavailable" when the log could not store them
   */
  async acceptAll(submissions: AsyncIterable<Submission>): Promise<number> {
    const started = performance.now();
    const appending = this.#options.log.appendAll(newCommands(submissions));
    this.#admitting.add(appending);
    try {
      const entries = await appending;
      const ms = (performance.now() - started) / entries.length;
      // Without waiting in between, because commands that are appended later must follow them in the line.
      for (const entry of entries) {
        const isElsewhere = this.#options.shared !== undefined;
        this.#options.onEvent({ kind: "received", entry, ms, isElsewhere });
        if (isElsewhere) continue;
        if (this.#arrived === undefined) this.#join(entry);
        else this.#arrived.push(entry);
      }
      return entries.length;
    } finally {
      this.#admitting.delete(appending);
    }
  }

  /**
   * Adds maintenance to the log that several stores follow; resolves when this store has done it, or another process has
   * added the same periodic run.
   * @throws CensusError "unavailable" when the log could not store it
   */
  async requestMaintenance(change: Maintenance, turn?: Turn): Promise<void> {
    await this.#follower?.requestMaintenance(change, turn);
  }

  /** Resolves when all accepted commands were tried; those that failed are given up. */
  async settle(): Promise<void> {
    await this.#finishAll();
    await this.#failed.giveUp();
  }

  /**
   * Stops.
   * @param afterAll whether all waiting commands are stored before; otherwise only the current batch is
   */
  async close(afterAll: boolean): Promise<void> {
    while (this.#admitting.size > 0) await Promise.allSettled(this.#admitting);
    if (afterAll) await this.#finishAll();
    this.#isClosing = true;
    this.#timer.expire();
    this.#stall.cancel();
    clearTimeout(this.#checkTimer);
    this.#failed.close();
    this.#follower?.close();
    await this.#draining;
    await this.#options.attempts?.pause();
  }

  /** The database file was reopened after an error: stores the commands again that it has lost. */
  async reopened(): Promise<void> {
    const { transactions } = this.#options.ingester;
    await transactions.reopened();
    if (transactions.isRewound) this.#beginDraining();
  }

  async #finishAll(): Promise<void> {
    while (this.#admitting.size > 0) await Promise.allSettled(this.#admitting);
    this.#timer.expire();
    while (this.#draining !== undefined) await this.#draining;
  }

  async #admit(entry: NewEntry, payload: Uint8Array, { waiter, result }: Arrival = {}): Promise<number> {
    const { shared } = this.#options;
    if (shared !== undefined) return this.#admitShared(shared, { ...entry, mark: randomUUID() }, payload, waiter);
    const started = performance.now();
    const appending = this.#options.log.append(entry, payload, result === undefined);
    this.#admitting.add(appending);
    try {
      const added = await appending;
      if (waiter !== undefined) this.#waiters.set(added.id, waiter);
      this.#options.onEvent({ kind: "received", entry: added, ms: performance.now() - started });
      if (this.#arrived === undefined) this.#join(added, result);
      else this.#arrived.push(added);
      if (waiter !== undefined) this.#timer.expire();
      return added.id;
    } finally {
      this.#admitting.delete(appending);
    }
  }

  /** Adds a command to a log from which it comes back, perhaps before this call returns. */
  async #admitShared(
    shared: SharedLog,
    entry: NewEntry & { readonly mark: string },
    payload: Uint8Array,
    waiter: Waiter | undefined,
  ): Promise<number> {
    const started = performance.now();
    if (waiter !== undefined) this.#waiters.set(entry.mark, waiter);
    const appending = shared.append(entry, payload);
    this.#admitting.add(appending);
    try {
      const added = await appending;
      const ms = performance.now() - started;
      this.#options.onEvent({ kind: "received", entry: added, ms, isElsewhere: true });
      return added.id;
    } catch (error) {
      this.#waiters.delete(entry.mark);
      throw error;
    } finally {
      this.#admitting.delete(appending);
    }
  }

  #join(entry: QueueEntry, result?: PrepareResult): void {
    const obsolete = this.#line.add(entry, result);
    if (obsolete !== undefined) this.#options.onEvent({ kind: "superseded", entry: obsolete.entry });
    if (this.#line.isWorth(this.#batch)) this.#timer.expire();
    this.#beginDraining();
  }

  #retry(entry: QueueEntry): void {
    this.#join(entry);
    this.#timer.expire();
  }

  #beginDraining(): void {
    if (!this.#isClosing) this.#draining ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // Lets every request of this turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (!(await this.#storeAll())) await this.#rewind();
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
    const pipeline = new Pipeline<readonly Taken[], readonly PrepareResult[]>({
      next: () => this.#nextBatch(),
      nextAhead: async (current, prepared) => {
        // By then more commands have arrived.
        await prepared;
        return this.#timer.isDue && this.#mayPrepareDuring(current) ? this.#take() : undefined;
      },
      prepare: (batch) => this.#store.prepare(batch),
      write: async (batch, results) => {
        const began = performance.now();
        await this.#store.store(batch, results);
        this.#timer.stored(performance.now() - began);
        this.#inProgress -= batch.length;
        await this.#store.release(batch);
        this.#follower?.madeRoom();
        if (batch.some(({ entry }) => entry.id >= this.#lastLeft)) this.#lastLeft = 0;
      },
    });
    try {
      if (this.#options.ingester.transactions.isRewound) return false;
      await pipeline.run();
      return true;
    } catch (error) {
      if (!(error instanceof Rewound)) throw error;
      return false;
    } finally {
      this.#store.abandon();
    }
  }

  async #nextBatch(): Promise<readonly Taken[] | undefined> {
    if (this.#line.length === 0 || this.#isClosing) return undefined;
    await this.#timer.wait(() => this.#line.length);
    return this.#take();
  }

  /** Whether the next batch may be prepared while this one is written: neither has to be alone, and there is memory. */
  #mayPrepareDuring(current: readonly Taken[]): boolean {
    if (this.#options.attempts?.isAlone() === true) return false;
    return !isHeavy(this.#line.nextWeight) && !hasHeavy(current);
  }

  #take(): readonly Taken[] | undefined {
    if (this.#isClosing || this.#line.length === 0) return undefined;
    const { attempts } = this.#options;
    const batch = this.#line.take(this.#batch, attempts && ((entry) => attempts.isAlone(entry)));
    this.#timer.restart(batch.length, this.#line.isWorth(this.#batch) || this.#waiters.size > 0);
    this.#inProgress += batch.length;
    return batch;
  }

  /** Puts all commands in line again, in their order, that the log has and the engine does not. */
  async #rewind(): Promise<void> {
    const { log, ingester, onEvent, shared } = this.#options;
    if (shared !== undefined) return this.#rewindFollowed();
    const arrived: QueueEntry[] = (this.#arrived = []);
    try {
      const { entries, through } = await this.#stall.retry(() => log.retained(ingester.progress.committed));
      this.#line.clear();
      this.#inProgress = 0;
      const lost = entries.filter(({ id }) => !this.#failed.isPostponed(id));
      for (const entry of [...lost, ...arrived.filter(({ id }) => id > through)]) this.#line.add(entry);
      onEvent({ kind: "rewound", commands: lost.length });
      ingester.transactions.resume();
    } finally {
      this.#arrived = undefined;
    }
  }

  /** Follows the log again from the last command that the engine has. */
  #rewindFollowed(): void {
    this.#line.clear();
    this.#inProgress = 0;
    this.#options.ingester.transactions.resume();
    this.#follower?.madeRoom();
    this.#follower?.follow();
  }

  #report({ id, mark }: QueueEntry, processing: Processing): void {
    const key = mark ?? id;
    this.#waiters.get(key)?.(processing);
    this.#waiters.delete(key);
  }
}
