import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a thread that runs `prepare-worker.ts`. Packaged programs do not have that file; they replace this one by a
 * version that runs the bundled code.
 */
export function startPrepareWorker(options: WorkerOptions): Worker {
  return new Worker(new URL("./prepare-worker.ts", import.meta.url), options);
}
