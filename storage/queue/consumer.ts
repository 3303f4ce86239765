import { CensusError } from "../errors.ts";
import { memoryBudget } from "../memory/budget.ts";
import type { Attempts } from "./attempts.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { NewCommand } from "./bundle.ts";
import type { CommandLog, NewEntry, QueueEntry } from "./entry.ts";
import { WaitingLine } from "./waiting-line.ts";
import type { Clock } from "../time.ts";
import { isProcessed } from "../wire/commands.ts";
import { type Attempt, problemOf } from "../ingest/prepare-result.ts";
import { BackOff } from "./back-off.ts";
import type { CommandListener } from "./events.ts";
import { isHeavy } from "../ingest/heavy.ts";
import { hasHeavy, HeavyTurn } from "./heavy-turn.ts";
import { isPassing } from "./transient-errors.ts";
import { type Ingester, Rewound } from "../ingest/ingester.ts";
import type { Outcome } from "../ingest/outcome.ts";
import {
  type Accepted,
  type Batch,
  NOT_PREPARED,
  type Processing,
  type Ready,
  type Taken,
  unpackedSizeOf,
} from "./processing.ts";
import { Patience } from "./batch-timer.ts";
import { diagnosisOf, RETRY_AFTER } from "./retries.ts";
import { hashOf } from "../ingest/prepared.ts";
import { payloadBytes, type Submission } from "../ingest/submission.ts";

/** How often letters that were handed back are looked for, ms. */
const LOOK_AGAIN = 3000;

export interface ProcessorOptions {
  readonly log: CommandLog;
  readonly ingester: Ingester;
  readonly clock: Clock;
  /** Absent: what is discarded is gone. */
  readonly deadLetters?: DeadLetters | undefined;
  /** Absent: which commands are being tried is noted nowhere. */
  readonly attempts?: Attempts | undefined;
  readonly onEvent: CommandListener;
}

/**
 * Takes commands from the queue and has them stored, in their order, many per transaction: whatever waits while one
 * transaction runs is in the next, and is prepared meanwhile. A batch that fails is halved until the command at fault is
 * alone; that one is postponed, and in the end discarded. A fault that is not any command's own (a full disk) halts the
 * queue until it has passed.
 */
export class Processor {
  readonly #options: ProcessorOptions;
  /** A transaction takes in at most this many commands, or this many bytes of payload, whichever comes first. */
  readonly #batch = memoryBudget().batch;
  readonly #line = new WaitingLine<Attempt>();
  /** Whoever waits to hear what becomes of a command, by its id. */
  readonly #waiters = new Map<number, (processing: Processing) => void>();
  readonly #admitting = new Set<Promise<unknown>>();
  /** What will put each of them back in line, by id. */
  readonly #postponed = new Map<number, NodeJS.Timeout>();
  readonly #backOff = new BackOff();
  #draining: Promise<void> | undefined;
  #lookingAgain: NodeJS.Timeout | undefined;
  #inHand = 0;
  /** Commands that come while those before them are looked up in the queue again. */
  #held: QueueEntry[] | undefined;
  readonly #patience = new Patience();
  #isClosing = false;
  readonly #heavy = new HeavyTurn();

  constructor(options: ProcessorOptions) {
    this.#options = options;
    options.ingester.onRewound = () => {
      if (!this.#isClosing) this.#draining ??= this.#drain();
    };
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
    for (const entry of entries) this.#join(entry, this.#verdictOn(entry));
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

  /** What becomes of a command that has ended the process again and again. */
  #verdictOn(entry: QueueEntry): Attempt | undefined {
    const problem = this.#options.attempts?.problemOf(entry);
    return problem === undefined ? undefined : { problem, isDefect: false };
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
    const entry = { ...envelope, ...unpackedSizeOf(submission), faults: [] };
    const id = await this.#admit(entry, payloadBytes(submission), { waiter, attempt });
    const isPayloadFree = attempt !== undefined && !this.#options.log.holdsPayloads;
    return { id, processed: processed.promise, isPayloadFree };
  }

  /**
   * Accepts commands, all or none of them; resolves when they are durable.
   * @returns how many there were
   * @throws what `submissions` throws; CensusError "unavailable" when they could not be kept
   */
  async acceptAll(submissions: AsyncIterable<Submission>): Promise<number> {
    const started = performance.now();
    const appending = this.#options.log.appendAll(newCommands(submissions));
    this.#admitting.add(appending);
    try {
      const entries = await appending;
      const ms = (performance.now() - started) / entries.length;
      // In one go: whatever is appended after them has to be behind them in the line.
      for (const entry of entries) {
        this.#options.onEvent({ kind: "received", entry, ms });
        if (this.#held === undefined) this.#join(entry);
        else this.#held.push(entry);
      }
      return entries.length;
    } finally {
      this.#admitting.delete(appending);
    }
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
    await this.#options.attempts?.pause();
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
      if (this.#held === undefined) this.#join(kept, attempt);
      else this.#held.push(kept);
      if (waiter !== undefined) this.#patience.end();
      return kept.id;
    } finally {
      this.#admitting.delete(appending);
    }
  }

  #join(entry: QueueEntry, attempt?: Attempt): void {
    const obsolete = this.#line.add(entry, attempt);
    if (obsolete !== undefined) this.#options.onEvent({ kind: "superseded", entry: obsolete.entry });
    if (this.#line.isWorth(this.#batch)) this.#patience.end();
    if (!this.#isClosing) this.#draining ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // Lets every request of this turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (!(await this.#round())) await this.#rewind();
    } catch (error) {
      // Closing while the queue is halted; what is in hand stays in the log.
      if (error !== BackOff.cancelled) throw error;
    } finally {
      this.#draining = undefined;
    }
    // A command that came between the last look and this moment.
    if (this.#line.length > 0 && !this.#isClosing) this.#draining = this.#drain();
  }

  /** @returns false where the engine has lost what some commands did that had been stored */
  async #round(): Promise<boolean> {
    let ahead: Batch | undefined;
    try {
      if (this.#options.ingester.isRewound) return false;
      while (ahead !== undefined || (this.#line.length > 0 && !this.#isClosing)) {
        if (ahead === undefined) await this.#patience.wait(() => this.#line.length);
        ahead = await this.#store(ahead);
      }
      return true;
    } catch (error) {
      if (!(error instanceof Rewound)) throw error;
      return false;
    } finally {
      this.#heavy.end();
    }
  }

  /** Has everything that the engine has not, as far as the queue keeps it, in line again, in its order. */
  async #rewind(): Promise<void> {
    const { log, ingester, onEvent } = this.#options;
    const held: QueueEntry[] = (this.#held = []);
    try {
      const { entries, through } = await this.#persistently(() => log.retained(ingester.committed));
      this.#line.clear();
      this.#inHand = 0;
      const lost = entries.filter(({ id }) => !this.#postponed.has(id));
      for (const entry of [...lost, ...held.filter(({ id }) => id > through)]) this.#line.add(entry);
      onEvent({ kind: "rewound", commands: lost.length });
      ingester.takeUp();
    } finally {
      this.#held = undefined;
    }
  }

  /**
   * Has a batch stored. A function of its own, since one that loops would hold what it has prepared while it waits for more.
   * @param ahead prepared already
   * @returns the next one, if it has been prepared meanwhile
   */
  async #store(ahead: Batch | undefined): Promise<Batch | undefined> {
    const current = ahead ?? this.#begin();
    if (current === undefined) return undefined;
    const attempts = await current.attempts;
    // Prepared while this one is written.
    const next = this.#patience.isOver && this.#leavesRoom(current) ? this.#begin() : undefined;
    await this.#finish(current, attempts);
    this.#heavy.end();
    return next;
  }

  /** Whether the next batch may be prepared while this one is written: none has to be alone, and there is memory. */
  #leavesRoom({ taken }: Batch): boolean {
    if (this.#options.attempts?.isAlone() === true) return false;
    return !isHeavy(this.#line.nextWeight) && !hasHeavy(taken);
  }

  #begin(): Batch | undefined {
    if (this.#isClosing || this.#line.length === 0) return undefined;
    const { attempts: noted } = this.#options;
    const taken = this.#line.take(this.#batch, noted && ((entry) => noted.isAlone(entry)));
    this.#patience.begun(taken.length, this.#line.isWorth(this.#batch) || this.#waiters.size > 0);
    this.#inHand += taken.length;
    const attempts = this.#prepare(taken);
    // A failure is met where the batch is awaited; until then it must not count as unhandled.
    attempts.catch(() => undefined);
    return { taken, attempts };
  }

  /** Payloads that cannot be read are asked for until they can: they are on disk, and so is what they say. */
  async #prepare(taken: readonly Taken[]): Promise<readonly Attempt[]> {
    const { attempts: noted, log } = this.#options;
    await this.#persistently(async () => noted?.begin(taken.map(({ entry }) => entry.id)));
    if (hasHeavy(taken)) await this.#heavy.begin();
    const wanted = taken.filter(({ isObsolete }) => !isObsolete);
    const unknown = wanted.filter(({ told }) => told === undefined);
    const submissions = await this.#persistently(() =>
      Promise.all(unknown.map(({ entry }) => this.#submission(entry))),
    );
    const prepared = (await this.#options.ingester.prepare(submissions, !log.holdsPayloads)).values();
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
    await this.#options.attempts?.finish(taken.map(({ entry }) => entry.id));
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
      if (error === BackOff.cancelled || error instanceof Rewound) throw error;
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
        await this.#options.attempts?.resume();
        const result = await work();
        this.#backOff.reset();
        return result;
      } catch (error) {
        if (error instanceof Rewound || !isPassing(error)) throw error;
        await this.#options.attempts?.pause();
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
      await this.#persistently(() => log.drop(entry.id));
      this.#tell(entry, processing);
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

async function* newCommands(submissions: AsyncIterable<Submission>): AsyncGenerator<NewCommand, void> {
  for await (const submission of submissions) {
    const { payload: _, ...envelope } = submission;
    const entry = { ...envelope, ...unpackedSizeOf(submission), faults: [] };
    yield { entry, payload: payloadBytes(submission) };
  }
}
