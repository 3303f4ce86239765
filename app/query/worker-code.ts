import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a thread that runs `query-worker.ts`. Packaged programs, which do not contain that file, contain another
 * `worker-code.ts` that runs the bundled worker.
 */
export function startQueryWorker(options: WorkerOptions): Worker {
  return new Worker(new URL("./query-worker.ts", import.meta.url), options);
}
