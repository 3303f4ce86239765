import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a thread that runs `query-worker.ts`. Packaged programs, which have no such file, bring another
 * `worker-code.ts` that runs what was made of it.
 */
export function startQueryWorker(options: WorkerOptions): Worker {
  return new Worker(new URL("./query-worker.ts", import.meta.url), options);
}
