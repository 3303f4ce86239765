import { parentPort, workerData } from "node:worker_threads";
import { type Attempt, attemptAll } from "./attempt.ts";
import { collectGarbage } from "../heap.ts";
import { type FactsBlocklist, keepFact } from "./facts-blocklist.ts";
import { cutSlices, type Slice } from "./slices.ts";
import type { Submission } from "./submission.ts";

/** What a worker is asked: to prepare commands, for the next slice of what it has prepared, or to give memory back. */
export type WorkerRequest =
  | {
      readonly id: number;
      readonly submissions: readonly Submission[];
      /** For each of them, what its node's present content is told by. */
      readonly stored: readonly (string | undefined)[];
    }
  | { readonly id: number; readonly next: true }
  | { readonly id: number; readonly shrink: true };

/** What it answers; as long as there is more, it wants to be asked for it. */
export interface WorkerAnswer {
  readonly id: number;
  readonly attempts?: readonly Attempt[];
  readonly slice?: Slice | undefined;
  readonly hasMore: boolean;
}

/** What a worker is started with. */
export interface WorkerOptions {
  readonly factsBlocklist: FactsBlocklist;
}

const keep = keepFact((workerData as WorkerOptions).factsBlocklist);

const waiting = new Map<number, Slice[]>();

parentPort?.on("message", (request: WorkerRequest) => {
  parentPort?.postMessage(answerTo(request));
});

function answerTo(request: WorkerRequest): WorkerAnswer {
  if ("next" in request) return nextSlice(request.id);
  if ("submissions" in request) return prepared(request);
  collectGarbage();
  return { id: request.id, hasMore: false };
}

function prepared({ id, submissions, stored }: Extract<WorkerRequest, { submissions: unknown }>): WorkerAnswer {
  const { rest, slices } = cutSlices(attemptAll(submissions, stored, keep));
  if (slices.length > 0) waiting.set(id, slices);
  return { id, attempts: rest, hasMore: slices.length > 0 };
}

function nextSlice(id: number): WorkerAnswer {
  const slices = waiting.get(id) ?? [];
  const slice = slices.shift();
  if (slices.length === 0) waiting.delete(id);
  return { id, slice, hasMore: slices.length > 0 };
}
