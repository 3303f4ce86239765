import { Worker } from "node:worker_threads";

/**
 * Starts a thread that runs `match-worker.ts`. Packaged programs do not have that file; they replace this one by a
 * version that runs the bundled code.
 */
export function startMatchWorker(): Worker {
  return new Worker(new URL("./match-worker.ts", import.meta.url));
}
