import { Worker } from "node:worker_threads";

/** Starts a thread that runs `password-worker.ts`. Packaged programs contain another `worker-code.ts`. */
export function startPasswordWorker(): Worker {
  return new Worker(new URL("./password-worker.ts", import.meta.url));
}
