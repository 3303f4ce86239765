import { CensusError, messageOf } from "../errors.ts";
import type { DeadLetters } from "../queue/dead-letters.ts";
import type { CommandLog, NewEntry, QueueEntry } from "../queue/entry.ts";
import { WaitingLine, type Waiting } from "../queue/waiting-line.ts";
import type { Clock } from "../time.ts";
import { isProcessed } from "../wire/commands.ts";
import { type Attempt, problemOf } from "./attempt.ts";
import { BackOff } from "./back-off.ts";
import type { CommandListener } from "./events.ts";
import { isPassing } from "./faults.ts";
import type { Ingester } from "./ingester.ts";
import type { Outcome } from "./outcome.ts";
import { Patience } from "./patience.ts";
import { hashOf, type Prepared } from "./prepared.ts";
import { payloadBytes, type Submission } from "./submission.ts";

/** A transaction takes in at most this many commands, or this many bytes of payload, whichever comes first. */
const BATCH = { commands: 256, bytes: 2 * 1024 * 1024 };

/** After its n-th failure a command waits so many seconds; after the last one it goes to the dead letter office. */
const RETRY_AFTER: readonly number[] = [10, 60, 600, 3600, 3600];

/** How often letters that were handed back are looked for, ms. */
const LOOK_AGAIN = 3000;

/** What became of a command the first time it was tried. */
export type Processing =
  | { readonly kind: "done"; readonly outcome: Outcome }
  /** Its payload can never be stored. */
  | { readonly kind: "refused"; readonly error: Error }
  /** It failed while being stored; it may yet succeed. */
  | { readonly kind: "failed"; readonly error: Error };

/** A command that will not be lost any more. */
export interface Accepted {
  readonly id: number;
  /** Whether nobody looks into its payload any more: all that it says is known already, and the log has its own copy. */
  readonly isPayloadFree: boolean;
  /** What becomes of it when it is first tried, for those who said that they would wait; never rejects. */
  readonly processed: Promise<Processing>;
}

export interface ProcessorOptions {
  readonly log: CommandLog;
  readonly ingester: Ingester;
  readonly clock: Clock;
  /** Absent: what is discarded is gone. */
  readonly deadLetters?: DeadLetters | undefined;
  readonly onEvent: CommandListener;
}

/** A command in the line, prepared beforehand where that was done as it came. */
type Taken = Waiting<Attempt>;

interface Batch {
  readonly taken: readonly Taken[];
  readonly attempts: Promise<readonly Attempt[]>;
}

const NOT_PREPARED: Attempt = { problem: "it was not prepared", isDefect: true };

/** A command of a batch that can be written. */
interface Ready {
  readonly entry: QueueEntry;
  readonly prepared: Prepared;
}

/**
 * Takes commands from the queue and has them stored, in their order, many per transaction: whatever waits while one
 * transaction runs is in the next, and is prepared meanwhile. A batch that fails is halved until the command at fault is
 * alone; that one is postponed, and in the end discarded. A fault that is not any command's own (a full disk) halts the
 * queue until it has passed.
 */
export class Processor {
  readonly #options: ProcessorOptions;
  readonly #line = new WaitingLine<Attempt>();
  /** Whoever waits to hear what becomes of a command, by its id. */
  readonly #waiters = new Map<number, (processing: Processing) => void>();
  readonly #admitting = new Set<Promise<QueueEntry>>();
  /** What will put each of them back in line, by id. */
  readonly #postponed = new Map<number, NodeJS.Timeout>();
  readonly #backOff = new BackOff();
  #draining: Promise<void> | undefined;
  #lookingAgain: NodeJS.Timeout | undefined;
  #inHand = 0;
  readonly #patience = new Patience();
  #isClosing = false;

  constructor(options: ProcessorOptions) {
    this.#options = options;
  }

  /** Commands that are not finished: waiting, being stored, postponed. */
  get depth(): number {
    return this.#line.length + this.#inHand + this.#postponed.size;
  }

  /** Commands that wait for another try. */
  get awaitingRetry(): number {
    return this.#postponed.size;
  }

  /** Nothing can be stored at present; it is tried again and again. */
  get isStalled(): boolean {
    return this.#backOff.isNeeded;
  }

  /** Takes up what an earlier process left. */
  start(entries: readonly QueueEntry[]): void {
    for (const entry of entries) this.#join(entry);
    this.#patience.end();
    const { deadLetters } = this.#options;
    if (deadLetters === undefined) return;
    const look = async (): Promise<void> => {
      const take = async (entry: NewEntry, payload: Uint8Array): Promise<void> => {
        await this.#admit(entry, payload);
        this.#patience.end();
      };
      await deadLetters.takeAgain(take).catch(() => undefined);
      if (this.#isClosing) return;
      this.#lookingAgain = setTimeout(() => void look(), LOOK_AGAIN).unref();
    };
    void look();
  }

  /**
   * Takes a command in: resolves when it is durable.
   * @param isAwaited whether somebody waits until it is processed
   * @throws CensusError "unavailable" when it could not be kept
   */
  async accept(submission: Submission, isAwaited: boolean): Promise<Accepted> {
    const { payload: _, ...envelope } = submission;
    const processed = Promise.withResolvers<Processing>();
    const waiter = isAwaited ? processed.resolve : undefined;
    const attempt = this.#options.ingester.attemptKnown(submission);
    const id = await this.#admit({ ...envelope, faults: [] }, payloadBytes(submission), { waiter, attempt });
    const isPayloadFree = attempt !== undefined && !this.#options.log.holdsPayloads;
    return { id, processed: processed.promise, isPayloadFree };
  }

  /** Resolves when everything that has been accepted was tried; what failed and would be tried again is given up. */
  async settle(): Promise<void> {
    await this.#finishAll();
    for (const [id, timer] of this.#postponed) {
      clearTimeout(timer);
      this.#postponed.delete(id);
      await this.#options.log.settle(id);
    }
  }

  async #finishAll(): Promise<void> {
    while (this.#admitting.size > 0) await Promise.allSettled(this.#admitting);
    this.#patience.end();
    while (this.#draining !== undefined) await this.#draining;
  }

  /** Ends after the batch in hand; `whole`: after everything that waits. */
  async close(whole: boolean): Promise<void> {
    while (this.#admitting.size > 0) await Promise.allSettled(this.#admitting);
    if (whole) await this.#finishAll();
    this.#isClosing = true;
    this.#patience.end();
    this.#backOff.cancel();
    clearTimeout(this.#lookingAgain);
    for (const timer of this.#postponed.values()) clearTimeout(timer);
    await this.#draining;
  }

  async #admit(
    entry: NewEntry,
    payload: Uint8Array,
    {
      waiter,
      attempt,
    }: { waiter?: ((processing: Processing) => void) | undefined; attempt?: Attempt | undefined } = {},
  ): Promise<number> {
    const started = performance.now();
    const appending = this.#options.log.append(entry, payload, attempt === undefined);
    this.#admitting.add(appending);
    try {
      const kept = await appending;
      if (waiter !== undefined) this.#waiters.set(kept.id, waiter);
      this.#options.onEvent({ kind: "received", entry: kept, ms: performance.now() - started });
      this.#join(kept, attempt);
      if (waiter !== undefined) this.#patience.end();
      return kept.id;
    } finally {
      this.#admitting.delete(appending);
    }
  }

  #join(entry: QueueEntry, attempt?: Attempt): void {
    const obsolete = this.#line.add(entry, attempt);
    if (obsolete !== undefined) this.#options.onEvent({ kind: "superseded", entry: obsolete.entry });
    if (this.#line.isWorth(BATCH)) this.#patience.end();
    if (!this.#isClosing) this.#draining ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // Lets every request of this turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      let ahead: Batch | undefined;
      // The last look and the end of the round are one step: a command that comes a moment later starts the next round.
      while (ahead !== undefined || (this.#line.length > 0 && !this.#isClosing)) {
        if (ahead === undefined) await this.#patience.wait(() => this.#line.length);
        const current = ahead ?? this.#begin();
        if (current === undefined) break;
        const attempts = await current.attempts;
        // Prepared while this one is written.
        ahead = this.#patience.isOver ? this.#begin() : undefined;
        await this.#finish(current, attempts);
      }
    } catch (error) {
      // Closing while the queue is halted; what is in hand stays in the log.
      if (error !== BackOff.cancelled) throw error;
    } finally {
      this.#draining = undefined;
    }
  }

  #begin(): Batch | undefined {
    if (this.#isClosing || this.#line.length === 0) return undefined;
    const taken = this.#line.take(BATCH);
    this.#patience.begun(taken.length, this.#line.isWorth(BATCH) || this.#waiters.size > 0);
    this.#inHand += taken.length;
    const attempts = this.#prepare(taken);
    // A failure is met where the batch is awaited; until then it must not count as unhandled.
    attempts.catch(() => undefined);
    return { taken, attempts };
  }

  /** Payloads that cannot be read are asked for until they can: they are on disk, and so is what they say. */
  async #prepare(taken: readonly Taken[]): Promise<readonly Attempt[]> {
    const wanted = taken.filter(({ isObsolete }) => !isObsolete);
    const unknown = wanted.filter(({ told }) => told === undefined);
    const submissions = await this.#persistently(() =>
      Promise.all(unknown.map(({ entry }) => this.#submission(entry))),
    );
    const prepared = (await this.#options.ingester.prepare(submissions)).values();
    return wanted.map(({ told }) => told ?? prepared.next().value ?? NOT_PREPARED);
  }

  async #submission(entry: QueueEntry | undefined): Promise<Submission> {
    if (entry === undefined) throw new Error("a command is not in its batch any more");
    return { ...entry, payload: await this.#options.log.read(entry) };
  }

  async #finish({ taken }: Batch, attempts: readonly Attempt[]): Promise<void> {
    const started = performance.now();
    const { log, ingester, onEvent } = this.#options;
    const good: Ready[] = [];
    let index = 0;
    for (const { entry, isObsolete } of taken) {
      if (isObsolete) {
        onEvent({ kind: "obsolete", entry });
        await this.#settle(entry, { kind: "done", outcome: "obsolete" });
        continue;
      }
      const attempt = attempts[index++] ?? NOT_PREPARED;
      if ("prepared" in attempt) {
        if (attempt.hasOtherChecksum) onEvent({ kind: "checksum", entry });
        good.push({ entry, prepared: attempt.prepared });
      } else await this.#failed(entry, problemOf(attempt), true);
    }
    const outcomes = await this.#write(good);
    const ms = (performance.now() - started) / Math.max(1, good.length);
    for (const [position, { entry, prepared }] of good.entries()) {
      const outcome = outcomes[position];
      if (outcome === undefined) continue;
      onEvent({ kind: "processed", entry, outcome, ms, hash: hashOf(prepared) });
      await this.#settle(entry, { kind: "done", outcome });
    }
    // One that had been postponed stands behind commands that came after it.
    const through = Math.max(...taken.map(({ entry }) => entry.id));
    await this.#persistently(() => ingester.progress(through));
    this.#inHand -= taken.length;
    await this.#persistently(() => log.release(through));
  }

  /** @returns what became of each command; undefined for one that failed, which has been taken care of */
  async #write(ready: readonly Ready[]): Promise<(Outcome | undefined)[]> {
    if (ready.length === 0) return [];
    try {
      return await this.#persistently(() =>
        this.#options.ingester.write(
          ready.map(({ prepared }) => prepared),
          (index) => this.#submission(ready[index]?.entry),
          ready.at(-1)?.entry.id,
        ),
      );
    } catch (error) {
      if (error === BackOff.cancelled) throw error;
      const [only] = ready;
      if (ready.length === 1 && only !== undefined) {
        await this.#failed(only.entry, error instanceof Error ? error : new Error(String(error)), false);
        return [undefined];
      }
      const half = ready.length >> 1;
      return [...(await this.#write(ready.slice(0, half))), ...(await this.#write(ready.slice(half)))];
    }
  }

  /** Repeats `work` while what it meets is nobody's fault and will pass. */
  async #persistently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await work();
        this.#backOff.reset();
        return result;
      } catch (error) {
        if (!isPassing(error)) throw error;
        const wait = this.#backOff.pause();
        this.#options.onEvent({ kind: "stalled", error: error as Error, seconds: wait.seconds });
        await wait.over;
      }
    }
  }

  /** A command is at fault: what can never be right is discarded at once, the rest when it has failed too often. */
  async #failed(entry: QueueEntry, error: Error, beforeStoring: boolean): Promise<void> {
    const { log, deadLetters, onEvent, clock } = this.#options;
    const isHopeless = error instanceof CensusError && error.code === "bad-input";
    // Whether a version exists is found out by the peer before a catalog is read, and when anything else is stored.
    const isTold = entry.command !== "replace catalog" && !isProcessed(entry.command, entry.version);
    const processing: Processing = { kind: beforeStoring && isHopeless && !isTold ? "refused" : "failed", error };
    const faults = [...entry.faults, { at: clock.now(), message: diagnosisOf(error) }];
    const delay = RETRY_AFTER[faults.length - 1];
    const payload = await this.#persistently(() => log.read(entry));
    if (isHopeless || delay === undefined) {
      const place = await this.#persistently(async () => deadLetters?.discard(entry, payload, faults));
      onEvent({ kind: "discarded", entry, error, place });
      await this.#settle(entry, processing);
      return;
    }
    const again = { ...entry, faults };
    await this.#persistently(() => log.postpone(again, payload));
    const timer = setTimeout(() => {
      this.#postponed.delete(entry.id);
      this.#join(again);
      this.#patience.end();
    }, delay * 1000);
    timer.unref();
    this.#postponed.set(entry.id, timer);
    onEvent({ kind: "postponed", entry: again, error, at: Date.now() + delay * 1000 });
    this.#tell(entry, processing);
  }

  async #settle(entry: QueueEntry, processing: Processing): Promise<void> {
    await this.#forget(entry);
    this.#tell(entry, processing);
  }

  /** The queue's progress passes over what has been postponed. */
  async #forget({ id, faults }: QueueEntry): Promise<void> {
    if (faults.length > 0) await this.#persistently(() => this.#options.log.settle(id));
  }

  #tell({ id }: QueueEntry, processing: Processing): void {
    this.#waiters.get(id)?.(processing);
    this.#waiters.delete(id);
  }
}

/** What we expected is said in a line; the rest with where it comes from. */
function diagnosisOf(error: Error): string {
  return error instanceof CensusError ? messageOf(error) : (error.stack ?? messageOf(error));
}
