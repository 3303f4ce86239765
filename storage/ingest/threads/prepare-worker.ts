import { parentPort, workerData } from "node:worker_threads";
import type { CommandBounds } from "../../wire/bounds.ts";
import { type FactsBlocklist, keepFact } from "../facts-blocklist.ts";
import { prepareAll, type PrepareResult, type PrepareTask } from "../prepare-result.ts";
import { ItemCache } from "../shortcuts/item-cache.ts";
import { collectGarbage } from "./heap.ts";
import { lowerPriority } from "./priority.ts";
import { RowInterner } from "./row-interner.ts";
import { cutSlices, type Slice } from "./slices.ts";

/** A request to a worker: prepare commands, send the next slice of what was prepared, or return memory to the system. */
export type WorkerRequest =
  | {
      readonly id: number;
      readonly tasks: readonly PrepareTask[];
      /** Whether memory that is no longer needed is returned at once. */
      readonly savesMemory: boolean;
    }
  | { readonly id: number; readonly next: true }
  | { readonly id: number; readonly shrink: true };

export interface WorkerResponse {
  readonly id: number;
  readonly results?: readonly PrepareResult[];
  readonly slice?: Slice | undefined;
  /** Whether there are more slices to request. */
  readonly hasMore: boolean;
  /** Rows that are numbers from now on, in this response too. */
  readonly rows?: readonly object[];
  /** Whether the numbers of rows begin anew with this response. */
  readonly clearsRows?: boolean;
}

/** What a worker is started with. */
export interface WorkerOptions {
  readonly factsBlocklist: FactsBlocklist;
  readonly bounds: CommandBounds;
}

const { factsBlocklist, bounds } = workerData as WorkerOptions;
const keep = keepFact(factsBlocklist);

lowerPriority();

const interner = new RowInterner();
const items = new ItemCache();

/** Slices after which garbage is collected while memory is saved. */
const SLICES = 16;

/** Slices that have not been requested yet. */
const waiting = new Map<number, { readonly slices: Slice[]; readonly savesMemory: boolean }>();

parentPort?.on("message", (request: WorkerRequest) => {
  parentPort?.postMessage(respond(request));
});

function respond(request: WorkerRequest): WorkerResponse {
  if ("next" in request) return nextSlice(request.id);
  if ("tasks" in request) return prepared(request);
  clearItems();
  collectGarbage();
  return { id: request.id, hasMore: false, clearsRows: true };
}

function prepared({ id, tasks, savesMemory }: Extract<WorkerRequest, { tasks: unknown }>): WorkerResponse {
  // Slices that have not been requested yet contain numbers.
  const clearsRows = items.isFull && waiting.size === 0;
  if (clearsRows) clearItems();
  const { results, rows } = interner.intern(prepareAll(tasks, { keepFact: keep, bounds, items }));
  const { rest, slices } = cutSlices(results);
  if (slices.length > 0) waiting.set(id, { slices, savesMemory });
  return { id, results: rest, hasMore: slices.length > 0, rows, clearsRows };
}

function clearItems(): void {
  items.clear();
  interner.clear();
}

function nextSlice(id: number): WorkerResponse {
  const { slices, savesMemory } = waiting.get(id) ?? { slices: [], savesMemory: false };
  // Garbage by now: the payload, what it was parsed to, and the slices that were sent.
  if (savesMemory && slices.length % SLICES === 0) collectGarbage();
  const slice = slices.shift();
  if (slices.length === 0) waiting.delete(id);
  return { id, slice, hasMore: slices.length > 0 };
}
