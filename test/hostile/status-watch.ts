/**
 * Requests the status of a server continuously, on a thread of its own, so that the figures do not depend on how busy the
 * attacking thread is.
 */
import { Agent, get } from "node:http";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** A time without an answer, epoch milliseconds. */
export interface Gap {
  readonly from: number;
  readonly until: number;
}

/** Figures of a watch, ms. */
export interface StatusFigures {
  readonly count: number;
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

/** What a watch reports. */
type Message = { readonly gap: Gap } | { readonly latencies: readonly number[] };

interface Watched {
  readonly url: string;
  /** ms */
  readonly limit: number;
}

/** Milliseconds between an answer and the next request. */
const PAUSE = 100;

export interface StatusWatch {
  /** Latencies (ms) so far; with what came before when the server was replaced. */
  stop(): Promise<readonly number[]>;
}

/** Begins to watch; `onGap` gets what took longer than `limit` ms. */
export function watchStatus(url: string, limit: number, onGap: (gap: Gap) => void): StatusWatch {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, limit } satisfies Watched });
  const latencies = new Promise<readonly number[]>((resolve, reject) => {
    worker.on("message", (message: Message) => {
      if ("gap" in message) onGap(message.gap);
      else resolve(message.latencies);
    });
    worker.once("error", reject);
  });
  latencies.catch(() => undefined);
  return {
    stop: async () => {
      worker.postMessage("stop");
      const all = await latencies;
      await worker.terminate();
      return all;
    },
  };
}

export function figuresOf(latencies: readonly number[]): StatusFigures {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { count: sorted.length, median: at(0.5), p99: at(0.99), longest: at(1) };
}

async function watch({ url, limit }: Watched): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latencies: number[] = [];
  const over = new AbortController();
  parentPort?.once("message", () => over.abort());
  while (!over.signal.aborted) {
    const from = Date.now();
    const isAnswered = await isAnswering(`${url}/status/v1/services`, agent);
    const until = Date.now();
    if (isAnswered) latencies.push(until - from);
    if (isAnswered && until - from > limit) parentPort?.postMessage({ gap: { from, until } });
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  agent.destroy();
  parentPort?.postMessage({ latencies });
}

/** Whether there was an answer; a server that has ended is found out by others. */
async function isAnswering(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.once("end", () => resolve(true)).once("error", () => resolve(false));
      response.resume();
    }).once("error", () => resolve(false));
  });
}

if (!isMainThread && workerData !== null && "limit" in workerData) void watch(workerData as Watched);
