import type { ResourceLimits, Worker } from "node:worker_threads";
import { messageOf } from "../../errors.ts";
import { VolatilePaths } from "../../history/volatile-facts.ts";
import { type MemoryBudget, memoryBudget } from "../../memory/budget.ts";
import { type CommandBounds, defaultBounds } from "../../wire/bounds.ts";
import { plainOrQuoted } from "../../wire/problems.ts";
import { emptyBlocklist, type FactsBlocklist, factFilter } from "../facts-blocklist.ts";
import { isHeavy } from "../heavy.ts";
import { prepareAll, type PrepareResult } from "../prepare-result.ts";
import type { Submission } from "../submission.ts";
import { approximateSize, totalSize } from "../unpacked-size.ts";
import { growYoungGeneration, limitHeapGrowth, tuneHeap } from "./heap.ts";
import type { WorkerOptions, WorkerRequest, WorkerResponse } from "./prepare-worker.ts";
import { putSlice } from "./slices.ts";
import { startPrepareWorker } from "./worker-code.ts";

/** Less payload than this, in bytes, is prepared in the calling thread: sending it to another one would cost more. */
const MIN_THREAD_BYTES = 64 * 1024;

/** More threads than this would only wait for the one that writes. */
const MAX_WORKERS = 4;

export interface PreparePoolOptions {
  readonly factsBlocklist?: FactsBlocklist | undefined;
  /** Paths of volatile facts besides the declared ones; undefined: no changes are recorded. */
  readonly volatileFacts?: readonly string[] | undefined;
  /** The limits of one command; default: {@link defaultBounds}. */
  readonly bounds?: CommandBounds | undefined;
  /** Number of threads; default: one per core, up to four. */
  readonly threads?: number | undefined;
}

/**
 * The heap of a thread. Short-lived objects, such as those of a parsed catalog, get little space: without a limit a
 * thread uses 200 MB more and is a tenth faster.
 */
function limitsOf({ preparingHeap, preparingYoung }: MemoryBudget): ResourceLimits {
  const MB = 1024 * 1024;
  return {
    maxYoungGenerationSizeMb: preparingYoung / MB,
    ...(preparingHeap === undefined ? {} : { maxOldGenerationSizeMb: Math.floor(preparingHeap / MB) }),
  };
}

interface Pending {
  readonly thread: Worker;
  /** The results received so far. */
  results: readonly PrepareResult[];
  readonly resolve: (results: readonly PrepareResult[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Prepares commands on other threads, so that the event loop remains responsive while a catalog of ten megabytes is
 * parsed and hashed. The threads start with the first batch that is large enough.
 */
export class PreparePool {
  readonly #threads: Worker[] = [];
  readonly #pending = new Map<number, Pending>();
  readonly #factsBlocklist: FactsBlocklist;
  readonly #bounds: CommandBounds;
  readonly #volatileList: readonly string[] | undefined;
  readonly #volatileFacts: VolatilePaths | undefined;
  readonly #maxThreads: number;
  #nextId = 0;
  /** Commands that are prepared one by one, after a thread has ended. */
  #oneByOne: Promise<unknown> = Promise.resolve();

  constructor(options: PreparePoolOptions = {}) {
    const { factsBlocklist = emptyBlocklist, bounds = defaultBounds, threads, volatileFacts } = options;
    this.#volatileList = volatileFacts;
    this.#volatileFacts = volatileFacts && new VolatilePaths(volatileFacts);
    this.#bounds = bounds;
    this.#factsBlocklist = factsBlocklist;
    // The thread that writes waits for the engine half of its time: on two cores, two threads import a fifth faster.
    this.#maxThreads = threads ?? Math.min(MAX_WORKERS, memoryBudget().preparingThreads);
  }

  /**
   * Prepares commands.
   * @param isOwned whether the payload of a command has no other user, so that its memory may be moved to a thread;
   *   default: none is
   * @returns one result per command, in their order
   */
  async prepare(
    tasks: readonly Submission[],
    isOwned: (submission: Submission) => boolean = () => false,
  ): Promise<PrepareResult[]> {
    const size = totalSize(tasks);
    if (size < MIN_THREAD_BYTES) {
      const [keepFact, volatileFacts] = [factFilter(this.#factsBlocklist), this.#volatileFacts];
      return prepareAll(tasks, { keepFact, volatileFacts, bounds: this.#bounds });
    }
    this.#start();
    growYoungGeneration();
    limitHeapGrowth();
    const savesMemory = isHeavy(size);
    const shares = split(tasks, size, this.#threads.length);
    const results = shares.map((share, index) => {
      const thread = this.#threads[index];
      const [only] = share;
      const mayMove = savesMemory && share.length === 1 && only !== undefined && isOwned(only);
      const moved = mayMove ? movable(only) : [];
      return moved.length === 0 || only === undefined
        ? this.#prepareShare(share, thread, savesMemory)
        : this.#prepareMoved(only, thread, moved);
    });
    return (await Promise.all(results)).flat();
  }

  /** If the thread ends while it prepares a share, each command of the share is prepared by itself. */
  async #prepareShare(
    tasks: readonly Submission[],
    thread: Worker | undefined,
    savesMemory: boolean,
  ): Promise<readonly PrepareResult[]> {
    try {
      return await this.#request(thread, (id) => ({ id, tasks, savesMemory }));
    } catch {
      const turn = this.#oneByOne.then(() => this.#prepareEach(tasks));
      this.#oneByOne = turn.catch(() => undefined);
      return turn;
    }
  }

  /** Prepares a command whose payload is moved to the thread: if the thread ends, it cannot be tried again. */
  async #prepareMoved(
    task: Submission,
    thread: Worker | undefined,
    moved: readonly ArrayBuffer[],
  ): Promise<readonly PrepareResult[]> {
    try {
      return await this.#request(thread, (id) => ({ id, tasks: [task], savesMemory: true }), moved);
    } catch (error) {
      return [threadEnded(task, error as NodeJS.ErrnoException)];
    }
  }

  /** Prepares commands one after another in a thread that does nothing else, to find the one that ends it. */
  async #prepareEach(tasks: readonly Submission[]): Promise<readonly PrepareResult[]> {
    const results: PrepareResult[] = [];
    let thread: Worker | undefined;
    for (const task of tasks) {
      thread ??= this.#newThread();
      const savesMemory = isHeavy(approximateSize(task));
      try {
        results.push(...(await this.#request(thread, (id) => ({ id, tasks: [task], savesMemory }))));
      } catch (error) {
        thread = undefined;
        results.push(threadEnded(task, error as NodeJS.ErrnoException));
      }
    }
    await thread?.terminate();
    return results;
  }

  /** Ends all threads but one, and has that one return memory to the system, unless they are busy. */
  async shrink(): Promise<void> {
    if (this.#pending.size > 0) return;
    await Promise.all(this.#threads.splice(1).map(async (worker) => worker.terminate()));
    await Promise.all(this.#threads.map((thread) => this.#request(thread, (id) => ({ id, shrink: true }))));
  }

  /** Ends the threads unless they are busy; the next batch starts new ones, which need half a second to warm up. */
  async endIdle(): Promise<void> {
    if (this.#pending.size === 0) await this.close();
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(async (worker) => worker.terminate()));
  }

  /** @param moved memory that is moved to the thread */
  async #request(
    thread: Worker | undefined,
    requestOf: (id: number) => WorkerRequest,
    moved: readonly ArrayBuffer[] = [],
  ): Promise<readonly PrepareResult[]> {
    if (thread === undefined) throw new Error("the threads that prepare commands have ended");
    const request = requestOf(this.#nextId++);
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { thread, results: [], resolve, reject });
      thread.postMessage(request, moved);
    });
  }

  #start(): void {
    if (this.#threads.length === this.#maxThreads) return;
    tuneHeap();
    while (this.#threads.length < this.#maxThreads) {
      try {
        this.#threads.push(this.#newThread());
      } catch (error) {
        // The system has no more threads or descriptors: continue with the existing ones.
        if (this.#threads.length > 0) return;
        throw error;
      }
    }
  }

  #newThread(): Worker {
    const [factsBlocklist, bounds, volatileFacts] = [this.#factsBlocklist, this.#bounds, this.#volatileList];
    const workerData: WorkerOptions = { factsBlocklist, bounds, volatileFacts };
    const worker = startPrepareWorker({ workerData, resourceLimits: limitsOf(memoryBudget()) });
    worker.unref();
    worker.on("message", (response: WorkerResponse) => this.#received(worker, response));
    worker.on("messageerror", (error) => this.#fail(worker, error));
    worker.on("error", (error: Error) => this.#fail(worker, error));
    worker.on("exit", () => this.#fail(worker, new Error("a thread that prepares commands has ended")));
    return worker;
  }

  /** An exception here would be uncaught, and the caller would wait for the response forever. */
  #received(worker: Worker, response: WorkerResponse): void {
    try {
      this.#handle(worker, response);
    } catch (error) {
      this.#fail(worker, error instanceof Error ? error : new Error(messageOf(error)));
    }
  }

  #handle(worker: Worker, response: WorkerResponse): void {
    const { id, results, slice, hasMore } = response;
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (results !== undefined) pending.results = results;
    if (slice !== undefined) putSlice(pending.results, slice);
    if (hasMore) {
      const request: WorkerRequest = { id, next: true };
      worker.postMessage(request);
      return;
    }
    this.#pending.delete(id);
    pending.resolve(pending.results);
  }

  /** Rejects the pending requests of a thread that has ended; the next batch starts another thread. */
  #fail(worker: Worker, error: Error): void {
    const place = this.#threads.indexOf(worker);
    if (place >= 0) this.#threads.splice(place, 1);
    for (const [id, pending] of this.#pending) {
      if (pending.thread !== worker) continue;
      this.#pending.delete(id);
      pending.reject(error);
    }
    void worker.terminate();
  }
}

/** The memory of a payload, if it contains nothing else. */
function movable({ payload }: Submission): ArrayBuffer[] {
  if (typeof payload === "string") return [];
  const { buffer } = payload;
  return buffer instanceof ArrayBuffer && buffer.byteLength === payload.length ? [buffer] : [];
}

function threadEnded({ command, version, certname }: Submission, error: NodeJS.ErrnoException): PrepareResult {
  if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") return { problem: error.stack ?? error.message, isDefect: true };
  const problem = "preparing it takes more memory than a thread may have";
  return {
    problem: `${command} v${version} of ${plainOrQuoted(certname)}: ${problem}`,
    isDefect: false,
    isOfMachine: true,
  };
}

/** Runs of about the same size, at most one per thread. */
function split(tasks: readonly Submission[], size: number, parts: number): Submission[][] {
  const shares: Submission[][] = [[]];
  let filled = 0;
  for (const task of tasks) {
    if (filled >= size / parts && shares.length < parts) {
      shares.push([]);
      filled = 0;
    }
    shares.at(-1)?.push(task);
    filled += approximateSize(task);
  }
  return shares;
}
