import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a thread that runs `prepare-worker.ts`. The packaged program, which has no such file, brings another
 * `worker-code.ts` that runs what was made of it.
 */
export function startPrepareWorker(options: WorkerOptions): Worker {
  return new Worker(new URL("./prepare-worker.ts", import.meta.url), options);
}
