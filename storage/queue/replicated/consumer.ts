import { randomUUID } from "node:crypto";
import { CensusError, messageOf } from "../../errors.ts";
import type { Arrival, Ingester } from "../../ingest/ingester.ts";
import { errorOf, type PrepareResult } from "../../ingest/prepare-result.ts";
import { scanSubmission } from "../../ingest/scan-submission.ts";
import type { Submission } from "../../ingest/submission.ts";
import { Rewound } from "../../ingest/write/transactions.ts";
import type { Maintenance, Turn } from "../../lifecycle/maintenance.ts";
import type { Clock } from "../../time.ts";
import { BoundsError, boundsOfAccepted } from "../../wire/bounds.ts";
import { BackOff } from "../back-off.ts";
import { BatchStore } from "../batch-store.ts";
import type { Consumer } from "../consumer.ts";
import { isOfContent } from "../content-errors.ts";
import type { DeadLetters } from "../dead-letters.ts";
import type { LoggedMaintenance, NewEntry, QueueEntry, ReplicatedLog } from "../entry.ts";
import type { CommandListener } from "../events.ts";
import { discard, kindOfFailure } from "../failed-commands.ts";
import { newCommand, newCommands } from "../new-command.ts";
import type { Accepted, Processing } from "../processing.ts";
import { RetriedLetters } from "../retried-letters.ts";
import { Stall } from "../stall.ts";
import { Storing } from "../storing.ts";
import { MaintenanceRequests } from "./maintenance-requests.ts";

export interface ReplicatedConsumerOptions {
  readonly log: ReplicatedLog;
  readonly ingester: Ingester;
  readonly clock: Clock;
  /** Default: discarded commands are not stored. */
  readonly deadLetters?: DeadLetters | undefined;
  /** Does what the log requests, and notes its id in the same transaction. */
  readonly maintain: (entry: LoggedMaintenance) => Promise<void>;
  readonly onEvent: CommandListener;
  /** Receives a sentence about dead letters that cannot be accepted again. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Stores what a log contains that several stores follow: commands and maintenance, in its order. What this store accepts is added to
 * the log and stored when it comes back. A fault that is not the command's own halts it, because other stores would store what comes
 * after the command in another state.
 */
export class ReplicatedConsumer implements Consumer {
  readonly awaitingRetry = 0;
  readonly isCatchingUp = false;
  readonly #options: ReplicatedConsumerOptions;
  readonly #stall: Stall;
  readonly #storing: Storing;
  readonly #requests: MaintenanceRequests;
  readonly #letters: RetriedLetters | undefined;
  /** Callers that wait for the first attempt at a command, by its mark. */
  readonly #waiters = new Map<string, (processing: Processing) => void>();
  readonly #adding = new Set<Promise<unknown>>();
  /** Increases when the log is followed again. */
  #following = 0;
  /** Called when there may be room in the line again. */
  #onRoom: (() => void) | undefined;

  constructor(options: ReplicatedConsumerOptions) {
    const { log, ingester, onEvent } = options;
    this.#options = options;
    this.#letters = options.deadLetters && new RetriedLetters(options.deadLetters, options.onNotice);
    const stall = new Stall({ onEvent });
    this.#stall = stall;
    this.#requests = new MaintenanceRequests(options.clock);
    const batches = new BatchStore({
      log,
      ingester,
      stall,
      onEvent,
      prepare: (submissions) => this.#prepare(submissions),
      report: ({ mark = "" }, processing) => {
        this.#waiters.get(mark)?.(processing);
        this.#waiters.delete(mark);
      },
      persist: (work, isAlone) => (isAlone ? stall.insist(work, isOfContent) : stall.retry(work)),
      fail: (entry, error, isPrepared) => this.#fail(entry, error, isPrepared),
    });
    this.#storing = new Storing({
      ingester,
      batches,
      // Which commands wait together differs between stores.
      supersedes: false,
      isAwaited: () => this.#waiters.size > 0,
      rewind: async () => this.#rewind(),
      onStored: () => this.#onRoom?.(),
      onEvent,
    });
  }

  get depth(): number {
    return this.#storing.length;
  }

  get isStalled(): boolean {
    return this.#stall.isActive;
  }

  start(): void {
    this.#follow();
    this.#letters?.start(async (entry, payload) => {
      await this.#append(entry, payload);
    });
  }

  async accept(submission: Submission, isAwaited: boolean): Promise<Accepted> {
    const processed = Promise.withResolvers<Processing>();
    const { entry, payload } = newCommand(submission);
    const mark = randomUUID();
    // It may come back before it is known that the log has it.
    if (isAwaited) this.#waiters.set(mark, processed.resolve);
    try {
      const id = await this.#append({ ...entry, mark }, payload);
      return { id, processed: processed.promise, isPayloadFree: true };
    } catch (error) {
      this.#waiters.delete(mark);
      throw error;
    }
  }

  async acceptAll(submissions: AsyncIterable<Submission>): Promise<number> {
    const started = performance.now();
    const entries = await this.#added(this.#options.log.appendAll(newCommands(submissions)));
    const ms = (performance.now() - started) / entries.length;
    for (const entry of entries) this.#options.onEvent({ kind: "received", entry, ms, isElsewhere: true });
    return entries.length;
  }

  /**
   * Adds maintenance to the log; resolves when this store has done it, or another process has added the same periodic run.
   * @throws CensusError "unavailable" when the log could not store it
   */
  async requestMaintenance(change: Maintenance, turn?: Turn): Promise<void> {
    await this.#requests.add(this.#options.log, change, turn);
  }

  async settle(): Promise<void> {
    while (this.#adding.size > 0) await Promise.allSettled(this.#adding);
    await this.#storing.finished();
  }

  async close(afterAll: boolean): Promise<void> {
    while (this.#adding.size > 0) await Promise.allSettled(this.#adding);
    if (afterAll) await this.#storing.finished();
    this.#letters?.stop();
    await this.#storing.close(() => {
      this.#stall.cancel();
      this.#onRoom?.();
      this.#requests.close();
    });
  }

  async reopened(): Promise<void> {
    const { transactions } = this.#options.ingester;
    await transactions.reopened();
    if (transactions.isRewound) this.#storing.begin();
  }

  async #append(entry: NewEntry, payload: Uint8Array): Promise<number> {
    const started = performance.now();
    const added = await this.#added(this.#options.log.append(entry, payload));
    this.#options.onEvent({ kind: "received", entry: added, ms: performance.now() - started, isElsewhere: true });
    return added.id;
  }

  /** The result of adding to the log, for which {@link close} waits. */
  async #added<T>(adding: Promise<T>): Promise<T> {
    this.#adding.add(adding);
    try {
      return await adding;
    } finally {
      this.#adding.delete(adding);
    }
  }

  /** Begins, or begins again, after the last entry that the engine has. */
  #follow(): void {
    const { log, ingester } = this.#options;
    const following = ++this.#following;
    log.follow(ingester.progress.committed, {
      commands: (entries) => this.#receive(entries, () => following === this.#following),
      maintenance: (entry) => this.#maintain(entry),
    });
  }

  #rewind(): void {
    this.#storing.replaceAll([]);
    this.#onRoom?.();
    this.#follow();
  }

  /** @param isCurrent whether the log has not been followed again since, so that it delivers the same commands once more */
  async #receive(entries: readonly QueueEntry[], isCurrent: () => boolean): Promise<void> {
    for (const entry of entries) {
      const arrival = await this.#arrivalOf(entry);
      if (!isCurrent()) return;
      this.#options.onEvent({ kind: "read", entry });
      this.#storing.add(entry, arrival);
    }
    if (entries.some(({ mark = "" }) => this.#waiters.has(mark))) this.#storing.hurry();
    // The others wait in the log.
    while (this.#storing.length >= 2000 && !this.#storing.isClosing) {
      await new Promise<void>((resolve) => (this.#onRoom = resolve));
    }
  }

  async #arrivalOf(entry: QueueEntry): Promise<Arrival> {
    const { log, ingester } = this.#options;
    const submission = { ...entry, payload: await log.read(entry) };
    try {
      return ingester.arrivalOf(await scanSubmission(submission, boundsOfAccepted));
    } catch (error) {
      // It is refused when it is prepared.
      if (error instanceof BoundsError) return {};
      throw error;
    }
  }

  async #maintain(entry: LoggedMaintenance): Promise<void> {
    const { log, maintain } = this.#options;
    await this.#storing.finished();
    if (this.#storing.isClosing) return;
    try {
      await this.#stall.insist(() => maintain(entry));
      await log.release(entry.id);
      this.#requests.done(entry.mark);
    } catch (error) {
      if (error !== BackOff.cancelled && !(error instanceof Rewound)) throw error;
    }
  }

  /** Prepares commands; what only this machine could not do is tried until it can. */
  async #prepare(submissions: readonly Submission[]): Promise<PrepareResult[]> {
    return this.#stall.insist(async () => {
      const results = await this.#options.ingester.prepare(submissions);
      for (const result of results) {
        if ("problem" in result && (result.isDefect || result.isOfMachine === true)) throw errorOf(result);
      }
      return results;
    });
  }

  /** Discards a command. It cannot be postponed, since what comes after it would then be stored before it. */
  async #fail(entry: QueueEntry, error: Error, isPrepared: boolean): Promise<Processing> {
    const reason = new CensusError("bad-input", messageOf(error), { cause: error });
    await discard({ ...this.#options, stall: this.#stall }, entry, reason);
    return { kind: kindOfFailure(entry, isPrepared), error: reason };
  }
}
