import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a thread that runs `question-worker.ts`. Packaged programs, which have no such file, bring another
 * `worker-code.ts` that runs what was made of it.
 */
export function startQuestionWorker(options: WorkerOptions): Worker {
  return new Worker(new URL("./question-worker.ts", import.meta.url), options);
}
