import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { memoryBudget } from "#storage/memory/budget.ts";
import { CensusError } from "#storage/errors.ts";
import type { LargeAnswer, LargeReading, LargeRequest, Mistake } from "./query-worker.ts";
import { startQueryWorker } from "./worker-code.ts";

/** Smaller bodies (bytes) are read where they are: a thread takes longer to start. */
export const LARGE_BODY = 32 * 1024;

/** Maximum large queries that are read at the same time; each uses a processor, and much memory. */
const AT_ONCE = 2;

/**
 * The heap that a query may need in the worst case, in bytes per byte of it. The thread gets that much, because V8 ends
 * the process rather than the thread when memory runs out while it parses JSON.
 */
const HEAP_PER_BYTE = 64;

/** Further memory of a thread. */
const HEAP_BASE = 64 * 1024 * 1024;

const MB = 1024 * 1024;

const waiting: (() => void)[] = [];
let running = 0;

/**
 * Reads and plans a large query on a thread of its own, so that other queries are not blocked. The thread ends with the
 * signal, whatever it is doing.
 * @param memory bytes that the thread may use
 * @throws CensusError when the parameters are invalid, or it is too large for the available memory; the signal's reason
 */
export async function readLargeQuery(
  request: LargeRequest,
  signal: AbortSignal,
  memory = largestHeap(),
): Promise<LargeReading> {
  const heap = HEAP_BASE + HEAP_PER_BYTE * request.body.byteLength;
  if (heap > memory) throw tooLarge(memory);
  await turn(signal);
  try {
    const answer = await answerOf(request, signal, heap);
    if ("parameters" in answer) return answer;
    throw errorOf(answer);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** The error that the other thread reported. */
export function errorOf({ code, message }: Mistake): Error {
  return code === undefined ? new Error(message) : new CensusError(code, message);
}

async function turn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (running >= AT_ONCE) {
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve);
      signal.addEventListener("abort", () => {
        const place = waiting.indexOf(resolve);
        if (place < 0) return;
        waiting.splice(place, 1);
        reject(signal.reason as Error);
      });
    });
  }
  running++;
}

function largestHeap(): number {
  return memoryBudget().preparingHeap ?? Infinity;
}

function tooLarge(memory: number): CensusError {
  const most = Math.max(LARGE_BODY, Math.floor((memory - HEAP_BASE) / HEAP_PER_BYTE));
  return new CensusError("bad-input", `with the memory that there is, the body of a query may have ${most} bytes`);
}

async function answerOf(request: LargeRequest, signal: AbortSignal, heap: number): Promise<LargeAnswer> {
  let worker: Worker | undefined;
  const end = (): void => void worker?.terminate();
  signal.addEventListener("abort", end);
  try {
    worker = startQueryWorker({ resourceLimits: { maxOldGenerationSizeMb: Math.ceil(heap / MB) } });
    const body = request.body.buffer as ArrayBuffer;
    const isWhole = request.body.byteLength === body.byteLength;
    worker.postMessage(request, isWhole ? [body] : []);
    const [answer] = (await once(worker, "message", { signal })) as [LargeAnswer];
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ERR_WORKER_OUT_OF_MEMORY") throw tooLarge(heap);
    if (!code.startsWith("ERR_WORKER")) throw error;
    throw new CensusError("unavailable", "no thread can be started to read the query; try again later", {
      cause: error,
    });
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}
