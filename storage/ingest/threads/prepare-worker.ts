import { parentPort, workerData } from "node:worker_threads";
import { type Attempt, attemptAll } from "../prepare-result.ts";
import { collectGarbage } from "./heap.ts";
import { letOthersGoFirst } from "./priority.ts";
import type { CommandBounds } from "../../wire/bounds.ts";
import { type FactsBlocklist, keepFact } from "../facts-blocklist.ts";
import { KnownParts } from "../shortcuts/item-cache.ts";
import { ToldRows } from "./interned-rows.ts";
import { cutSlices, type Slice } from "./slices.ts";
import type { Submission } from "../submission.ts";

/** What a worker is asked: to prepare commands, for the next slice of what it has prepared, or to give memory back. */
export type WorkerRequest =
  | {
      readonly id: number;
      readonly submissions: readonly Submission[];
      /** For each of them, what its node's present content is told by. */
      readonly stored: readonly (string | undefined)[];
      /** Memory that is not needed any more is to be given back at once. */
      readonly sparing: boolean;
    }
  | { readonly id: number; readonly next: true }
  | { readonly id: number; readonly shrink: true };

/** What it answers; as long as there is more, it wants to be asked for it. */
export interface WorkerAnswer {
  readonly id: number;
  readonly attempts?: readonly Attempt[];
  readonly slice?: Slice | undefined;
  readonly hasMore: boolean;
  /** Rows for which numbers stand from now on, this answer included. */
  readonly told?: readonly object[];
  /** Numbers that stood for rows until now stand for them no more. */
  readonly startsAnew?: boolean;
}

/** What a worker is started with. */
export interface WorkerOptions {
  readonly factsBlocklist: FactsBlocklist;
  readonly bounds: CommandBounds;
}

const { factsBlocklist, bounds } = workerData as WorkerOptions;
const keep = keepFact(factsBlocklist);

letOthersGoFirst();

const repeated = new ToldRows();
const parts = new KnownParts();

/** Slices after which garbage is collected, where memory is spared. */
const SLICES = 16;

/** Slices that are still to be fetched. */
const waiting = new Map<number, { readonly slices: Slice[]; readonly sparing: boolean }>();

parentPort?.on("message", (request: WorkerRequest) => {
  parentPort?.postMessage(answerTo(request));
});

function answerTo(request: WorkerRequest): WorkerAnswer {
  if ("next" in request) return nextSlice(request.id);
  if ("submissions" in request) return prepared(request);
  forgetParts();
  collectGarbage();
  return { id: request.id, hasMore: false, startsAnew: true };
}

function prepared({
  id,
  submissions,
  stored,
  sparing,
}: Extract<WorkerRequest, { submissions: unknown }>): WorkerAnswer {
  // Slices that are still to be fetched have numbers in them.
  const startsAnew = parts.isFull && waiting.size === 0;
  if (startsAnew) forgetParts();
  const { attempts, told } = repeated.shortened(attemptAll(submissions, stored, { keepFact: keep, bounds, parts }));
  const { rest, slices } = cutSlices(attempts);
  if (slices.length > 0) waiting.set(id, { slices, sparing });
  return { id, attempts: rest, hasMore: slices.length > 0, told, startsAnew };
}

function forgetParts(): void {
  parts.clear();
  repeated.clear();
}

function nextSlice(id: number): WorkerAnswer {
  const { slices, sparing } = waiting.get(id) ?? { slices: [], sparing: false };
  // The payload, what it was parsed to, and the slices that are over.
  if (sparing && slices.length % SLICES === 0) collectGarbage();
  const slice = slices.shift();
  if (slices.length === 0) waiting.delete(id);
  return { id, slice, hasMore: slices.length > 0 };
}
