import { getAsset } from "node:sea";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Stands for `storage/ingest/worker-code.ts` in the packaged program. */
export function startPrepareWorker(options: WorkerOptions): Worker {
  const code = `${getAsset("loader.js", "utf8")}load("prepare-worker.js");`;
  return new Worker(code, { ...options, eval: true });
}
