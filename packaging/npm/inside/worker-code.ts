import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Replaces each `worker-code.ts` of the project in the npm package, where a thread's code is a file next to this one.
 */

export function startPrepareWorker(options: WorkerOptions): Worker {
  return new Worker(new URL("./prepare-worker.js", import.meta.url), options);
}

export function startMatchWorker(): Worker {
  return new Worker(new URL("./match-worker.js", import.meta.url));
}

export function startQueryWorker(options: WorkerOptions): Worker {
  return new Worker(new URL("./query-worker.js", import.meta.url), options);
}

export function startPasswordWorker(): Worker {
  return new Worker(new URL("./password-worker.js", import.meta.url));
}
