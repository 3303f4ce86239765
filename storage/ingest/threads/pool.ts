import type { ResourceLimits, Worker } from "node:worker_threads";
import { messageOf } from "../../errors.ts";
import { growYoungGeneration, tuneHeap } from "./heap.ts";
import { type MemoryBudget, memoryBudget } from "../../memory/budget.ts";
import { type CommandBounds, defaultBounds } from "../../wire/bounds.ts";
import { plainOrQuoted } from "../../wire/problems.ts";
import { type Attempt, attemptAll } from "../prepare-result.ts";
import { emptyBlocklist, type FactsBlocklist, keepFact } from "../facts-blocklist.ts";
import { unpackedSize } from "../unpacked-size.ts";
import { isHeavy } from "../heavy.ts";
import type { Submission } from "../submission.ts";
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from "./prepare-worker.ts";
import { HeardRows } from "./interned-rows.ts";
import { putSlice } from "./slices.ts";
import { startPrepareWorker } from "./worker-code.ts";

/** Less payload than this (in bytes) is prepared where it is: a trip to another thread would cost more. */
const WORTH_A_TRIP = 64 * 1024;

/** How much larger a packed payload is taken to be whose size is not known: it goes to another thread. */
const UNKNOWN_RATIO = 1000;

/** More threads than this would only wait for the one that writes. */
const MOST_WORKERS = 4;

export interface PreparerOptions {
  readonly factsBlocklist?: FactsBlocklist | undefined;
  /** What one command may become; absent: as by default. */
  readonly bounds?: CommandBounds | undefined;
  /** Threads; absent: one per core, up to four. */
  readonly threads?: number | undefined;
}

/**
 * Heap of a thread, in megabytes. Short-lived objects, of which a parsed catalog is all made, have little room: left to
 * itself a thread takes 200 MB more and is a tenth faster.
 */
function limitsOf({ preparingHeap, preparingYoung }: MemoryBudget): ResourceLimits {
  const MB = 1024 * 1024;
  return {
    maxYoungGenerationSizeMb: preparingYoung / MB,
    ...(preparingHeap === undefined ? {} : { maxOldGenerationSizeMb: Math.floor(preparingHeap / MB) }),
  };
}

/** A thread, and the rows that it has told. */
interface Thread {
  readonly worker: Worker;
  readonly rows: HeardRows;
}

interface Pending {
  readonly thread: Thread;
  /** What has come so far. */
  attempts: readonly Attempt[];
  readonly resolve: (attempts: readonly Attempt[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Prepares commands on other threads, so that the event loop keeps answering while a catalog of ten megabytes is
 * parsed and hashed. Threads start with the first batch that is worth it.
 */
export class Preparer {
  readonly #threads: Thread[] = [];
  readonly #pending = new Map<number, Pending>();
  readonly #factsBlocklist: FactsBlocklist;
  readonly #bounds: CommandBounds;
  readonly #most: number;
  #next = 0;
  /** Commands that are prepared one by one. */
  #alone: Promise<unknown> = Promise.resolve();

  constructor({ factsBlocklist = emptyBlocklist, bounds = defaultBounds, threads }: PreparerOptions = {}) {
    this.#bounds = bounds;
    this.#factsBlocklist = factsBlocklist;
    // The thread that writes waits for the engine half of its time: on two cores, two threads import a fifth faster.
    this.#most = threads ?? Math.min(MOST_WORKERS, memoryBudget().preparingThreads);
  }

  /**
   * One attempt per command, in their order.
   * @param stored tells what the present content of a command's node is told by
   * @param areSpent whether nobody else has, or will look at, payloads that are larger than those that the queue keeps
   */
  async prepare(
    submissions: readonly Submission[],
    stored: (submission: Submission) => string | undefined,
    areSpent = false,
  ): Promise<Attempt[]> {
    const size = unpackedBytes(submissions);
    if (size < WORTH_A_TRIP) {
      const options = { keepFact: keepFact(this.#factsBlocklist), bounds: this.#bounds };
      return attemptAll(submissions, submissions.map(stored), options);
    }
    this.#start();
    growYoungGeneration();
    const shares = split(submissions, size, this.#threads.length);
    const sparing = isHeavy(size);
    const ask = (share: readonly Submission[], index: number): Promise<readonly Attempt[]> => {
      const thread = this.#threads[index];
      const moved = areSpent && sparing && share.length === 1 ? share.flatMap(movable) : [];
      if (moved.length === 0) return this.#prepareShare(share, stored, thread, sparing);
      const request = { submissions: share, stored: share.map(stored), sparing };
      return this.#ask(thread, (id) => ({ id, ...request }), moved).catch((error: unknown) =>
        share.map((submission) => threadEnded(submission, error as NodeJS.ErrnoException)),
      );
    };
    return (await Promise.all(shares.map(ask))).flat();
  }

  /** When the thread ends that prepares commands, each of them is prepared by itself. */
  async #prepareShare(
    share: readonly Submission[],
    stored: (submission: Submission) => string | undefined,
    thread: Thread | undefined,
    sparing: boolean,
  ): Promise<readonly Attempt[]> {
    try {
      return await this.#ask(thread, (id) => ({ id, submissions: share, stored: share.map(stored), sparing }));
    } catch {
      const turn = this.#alone.then(() => this.#prepareEach(share, stored));
      this.#alone = turn.catch(() => undefined);
      return turn;
    }
  }

  /** One after another in a thread that does nothing else: the one that ends it is at fault. */
  async #prepareEach(
    share: readonly Submission[],
    stored: (submission: Submission) => string | undefined,
  ): Promise<readonly Attempt[]> {
    const attempts: Attempt[] = [];
    let thread: Thread | undefined;
    for (const submission of share) {
      thread ??= this.#newThread();
      try {
        const request = {
          submissions: [submission],
          stored: [stored(submission)],
          sparing: isHeavy(payloadSize(submission)),
        };
        attempts.push(...(await this.#ask(thread, (id) => ({ id, ...request }))));
      } catch (error) {
        thread = undefined;
        attempts.push(threadEnded(submission, error as NodeJS.ErrnoException));
      }
    }
    await thread?.worker.terminate();
    return attempts;
  }

  /** Ends all threads but one, and has that give memory back, unless they are at work. */
  async shrink(): Promise<void> {
    if (this.#pending.size > 0) return;
    await Promise.all(this.#threads.splice(1).map(async ({ worker }) => worker.terminate()));
    await Promise.all(this.#threads.map((thread) => this.#ask(thread, (id) => ({ id, shrink: true }))));
  }

  /** Ends the threads unless they are at work; the next batch starts new ones, which cost half a second until they are warm. */
  async rest(): Promise<void> {
    if (this.#pending.size === 0) await this.close();
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(async ({ worker }) => worker.terminate()));
  }

  /** @param moved memory that goes over to the thread */
  async #ask(
    thread: Thread | undefined,
    requestOf: (id: number) => WorkerRequest,
    moved: readonly ArrayBuffer[] = [],
  ): Promise<readonly Attempt[]> {
    if (thread === undefined) throw new Error("the threads that prepare commands are gone");
    const request = requestOf(this.#next++);
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { thread, attempts: [], resolve, reject });
      thread.worker.postMessage(request, moved);
    });
  }

  #start(): void {
    if (this.#threads.length === this.#most) return;
    tuneHeap();
    while (this.#threads.length < this.#most) {
      try {
        this.#threads.push(this.#newThread());
      } catch (error) {
        // Where the system has no more threads or descriptors, fewer do as well.
        if (this.#threads.length > 0) return;
        throw error;
      }
    }
  }

  #newThread(): Thread {
    const workerData: WorkerOptions = { factsBlocklist: this.#factsBlocklist, bounds: this.#bounds };
    const worker = startPrepareWorker({ workerData, resourceLimits: limitsOf(memoryBudget()) });
    worker.unref();
    const thread = { worker, rows: new HeardRows() };
    worker.on("message", (answer: WorkerAnswer) => this.#heard(thread, answer));
    worker.on("messageerror", (error) => this.#fail(thread, error));
    worker.on("error", (error: Error) => this.#fail(thread, error));
    worker.on("exit", () => this.#fail(thread, new Error("a thread that prepares commands has ended")));
    return thread;
  }

  /** An answer that cannot be read must not be an uncaught exception: what waits for it would wait for ever. */
  #heard(thread: Thread, answer: WorkerAnswer): void {
    try {
      this.#receive(thread, answer);
    } catch (error) {
      this.#fail(thread, error instanceof Error ? error : new Error(messageOf(error)));
    }
  }

  #receive({ worker, rows }: Thread, { id, attempts, slice, hasMore, told = [], startsAnew }: WorkerAnswer): void {
    if (startsAnew === true) rows.clear();
    rows.add(told);
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (attempts !== undefined) pending.attempts = rows.restored(attempts);
    if (slice !== undefined) putSlice(pending.attempts, { ...slice, rows: rows.rows(slice.rows) });
    if (hasMore) {
      const request: WorkerRequest = { id, next: true };
      worker.postMessage(request);
      return;
    }
    this.#pending.delete(id);
    pending.resolve(pending.attempts);
  }

  /** A thread that ends takes its tasks with it; the next batch starts another one. */
  #fail(thread: Thread, error: Error): void {
    const place = this.#threads.indexOf(thread);
    if (place >= 0) this.#threads.splice(place, 1);
    for (const [id, pending] of this.#pending) {
      if (pending.thread !== thread) continue;
      this.#pending.delete(id);
      pending.reject(error);
    }
    void thread.worker.terminate();
  }
}

/** The memory of a payload, where that is all of it. */
function movable({ payload }: Submission): ArrayBuffer[] {
  if (typeof payload === "string" || payload.length <= memoryBudget().recentPayloads) return [];
  const { buffer } = payload;
  return buffer instanceof ArrayBuffer && buffer.byteLength === payload.length ? [buffer] : [];
}

function threadEnded({ command, version, certname }: Submission, error: NodeJS.ErrnoException): Attempt {
  if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") return { problem: error.stack ?? error.message, isDefect: true };
  const problem = "preparing it takes more memory than a thread may have";
  return { problem: `${command} v${version} of ${plainOrQuoted(certname)}: ${problem}`, isDefect: false };
}

/** Bytes of payloads, more or less, when unpacked. */
export function unpackedBytes(submissions: readonly Submission[]): number {
  return submissions.reduce((sum, submission) => sum + payloadSize(submission), 0);
}

/** Bytes, more or less, when unpacked. */
function payloadSize(submission: Submission): number {
  return unpackedSize(submission) ?? submission.payload.length * UNKNOWN_RATIO;
}

/** Runs of about the same payload, one per thread at most. */
function split(submissions: readonly Submission[], size: number, parts: number): Submission[][] {
  const shares: Submission[][] = [[]];
  let filled = 0;
  for (const submission of submissions) {
    if (filled >= size / parts && shares.length < parts) {
      shares.push([]);
      filled = 0;
    }
    shares.at(-1)?.push(submission);
    filled += payloadSize(submission);
  }
  return shares;
}
