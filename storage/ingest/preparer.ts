import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { growYoungGeneration, tuneHeap } from "../heap.ts";
import { type Attempt, attemptAll } from "./attempt.ts";
import { emptyBlocklist, type FactsBlocklist, keepFact } from "./facts-blocklist.ts";
import type { Submission } from "./submission.ts";
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from "./prepare-worker.ts";
import { HeardRows } from "./repeated-rows.ts";
import { putSlice } from "./slices.ts";
import { startPrepareWorker } from "./worker-code.ts";

/** Less payload than this (in bytes) is prepared where it is: a trip to another thread would cost more. */
const WORTH_A_TRIP = 64 * 1024;

/** More threads than this would only wait for the one that writes. */
const MOST_WORKERS = 4;

export interface PreparerOptions {
  readonly factsBlocklist?: FactsBlocklist | undefined;
  /** Threads; absent: one per core, up to four. */
  readonly threads?: number | undefined;
}

/**
 * Megabytes for short-lived objects, of which a parsed catalog is all made. Left to itself a thread takes 200 MB more
 * than with this and is a tenth faster.
 */
const YOUNG_GENERATION = 24;

/** A thread, and the rows that it has told. */
interface Thread {
  readonly worker: Worker;
  readonly rows: HeardRows;
}

interface Pending {
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
  readonly #most: number;
  #next = 0;

  constructor({ factsBlocklist = emptyBlocklist, threads }: PreparerOptions = {}) {
    this.#factsBlocklist = factsBlocklist;
    // The thread that writes waits for the engine half of its time: on two cores, two threads import a fifth faster.
    this.#most = threads ?? Math.min(MOST_WORKERS, availableParallelism());
  }

  /**
   * One attempt per command, in their order.
   * @param stored tells what the present content of a command's node is told by
   */
  async prepare(
    submissions: readonly Submission[],
    stored: (submission: Submission) => string | undefined,
  ): Promise<Attempt[]> {
    const size = submissions.reduce((sum, submission) => sum + payloadSize(submission), 0);
    if (size < WORTH_A_TRIP)
      return attemptAll(submissions, submissions.map(stored), { keepFact: keepFact(this.#factsBlocklist) });
    this.#start();
    growYoungGeneration();
    const shares = split(submissions, size, this.#threads.length);
    const asked = shares.map((share, index) =>
      this.#ask(index, (id) => ({ id, submissions: share, stored: share.map(stored) })),
    );
    return (await Promise.all(asked)).flat();
  }

  /** Ends all threads but one, and has that give memory back, unless they are at work. */
  async shrink(): Promise<void> {
    if (this.#pending.size > 0) return;
    await Promise.all(this.#threads.splice(1).map(async ({ worker }) => worker.terminate()));
    await Promise.all(this.#threads.map((_, index) => this.#ask(index, (id) => ({ id, shrink: true }))));
  }

  /** Ends the threads unless they are at work; the next batch starts new ones, which cost half a second until they are warm. */
  async rest(): Promise<void> {
    if (this.#pending.size === 0) await this.close();
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(async ({ worker }) => worker.terminate()));
  }

  async #ask(index: number, requestOf: (id: number) => WorkerRequest): Promise<readonly Attempt[]> {
    const worker = this.#threads[index]?.worker;
    if (worker === undefined) throw new Error("the threads that prepare commands are gone");
    const request = requestOf(this.#next++);
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { attempts: [], resolve, reject });
      worker.postMessage(request);
    });
  }

  #start(): void {
    if (this.#threads.length === this.#most) return;
    tuneHeap();
    const workerData: WorkerOptions = { factsBlocklist: this.#factsBlocklist };
    while (this.#threads.length < this.#most) {
      const worker = startPrepareWorker({
        workerData,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
      });
      worker.unref();
      const thread = { worker, rows: new HeardRows() };
      worker.on("message", (answer: WorkerAnswer) => this.#receive(thread, answer));
      worker.on("error", (error: Error) => this.#fail(error));
      this.#threads.push(thread);
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

  /** A thread that dies takes its tasks with it; the next batch starts new ones. */
  #fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    for (const { worker } of this.#threads.splice(0)) void worker.terminate();
  }
}

/** Bytes, more or less, when unpacked. */
function payloadSize({ payload, encoding }: Submission): number {
  return payload.length * (encoding === "gzip" ? 8 : 1);
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
