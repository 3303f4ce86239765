import { getAsset } from "node:sea";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Replaces each `worker-code.ts` of the project in the packaged program. */

export function startPrepareWorker(options: WorkerOptions): Worker {
  return start("prepare-worker", options);
}

export function startMatchWorker(): Worker {
  return start("match-worker");
}

export function startQueryWorker(options: WorkerOptions): Worker {
  return start("query-worker", options);
}

export function startPasswordWorker(): Worker {
  return start("password-worker");
}

function start(piece: string, options: WorkerOptions = {}): Worker {
  const code = `${getAsset("loader.js", "utf8")}load("${piece}.js");`;
  return new Worker(code, { ...options, eval: true });
}
