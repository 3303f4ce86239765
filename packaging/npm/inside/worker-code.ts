import { Worker, type WorkerOptions } from "node:worker_threads";

/** Stands for `storage/ingest/worker-code.ts` in the package for npm, where the thread's code is a file beside this one. */
export function startPrepareWorker(options: WorkerOptions): Worker {
  return new Worker(new URL("./prepare-worker.js", import.meta.url), options);
}
