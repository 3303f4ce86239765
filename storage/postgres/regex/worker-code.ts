import { Worker } from "node:worker_threads";

/**
 * Starts a thread that runs `match-worker.ts`. Packaged programs, which have no such file, bring another `worker-code.ts`
 * that runs what was made of it.
 */
export function startMatchWorker(): Worker {
  return new Worker(new URL("./match-worker.ts", import.meta.url));
}
