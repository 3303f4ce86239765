import { parentPort, workerData } from "node:worker_threads";
import { VolatilePaths } from "../../history/volatile-facts.ts";
import type { CommandBounds } from "../../wire/bounds.ts";
import { type FactsBlocklist, factFilter } from "../facts-blocklist.ts";
import { prepareAll, type PrepareResult } from "../prepare-result.ts";
import { longTextsIn, mayHaveLongTexts } from "../row-text.ts";
import type { Submission } from "../submission.ts";
import { approximateSize } from "../unpacked-size.ts";
import { collectGarbage } from "./heap.ts";
import { lowerPriority } from "../../thread-priority.ts";
import { charactersOf, cutSlices, type Slice } from "./slices.ts";

/** A request to a worker: prepare commands, send the next slice of what was prepared, or return memory to the system. */
export type WorkerRequest =
  | {
      readonly id: number;
      readonly tasks: readonly Submission[];
      /** Whether memory that is no longer needed is returned immediately. */
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
}

/** What a worker is started with. */
export interface WorkerOptions {
  readonly factsBlocklist: FactsBlocklist;
  readonly bounds: CommandBounds;
  /** Paths of volatile facts besides the declared ones; undefined: no changes are recorded. */
  readonly volatileFacts: readonly string[] | undefined;
}

const { factsBlocklist, bounds, volatileFacts: volatileList } = workerData as WorkerOptions;
const keep = factFilter(factsBlocklist);
const volatileFacts = volatileList && new VolatilePaths(volatileList);

lowerPriority();

/** Characters that are sent between two collections of garbage, while memory is saved. */
const SENT = 8 * 1024 * 1024;

/** Results that have not been requested yet. */
interface Waiting {
  readonly slices: Slice[];
  readonly savesMemory: boolean;
  readonly hasLongTexts: boolean;
  /** Characters that were sent since garbage was collected. */
  sent: number;
}

const waiting = new Map<number, Waiting>();

parentPort?.on("message", (request: WorkerRequest) => {
  if ("next" in request) sendSlice(request.id);
  else if ("tasks" in request) sendPrepared(request);
  else {
    collectGarbage();
    send({ id: request.id, hasMore: false });
  }
});

function sendPrepared({ id, tasks, savesMemory }: Extract<WorkerRequest, { tasks: unknown }>): void {
  const hasLongTexts = tasks.some((submission) => mayHaveLongTexts(approximateSize(submission)));
  const results = prepareAll(tasks, { keepFact: keep, volatileFacts, bounds, freesPayload: savesMemory });
  // Garbage by now: the payload, and what it was parsed to.
  if (savesMemory) collectGarbage();
  const { rest, slices } = cutSlices(results, savesMemory);
  if (slices.length > 0) waiting.set(id, { slices, savesMemory, hasLongTexts, sent: 0 });
  send({ id, results: rest, hasMore: slices.length > 0 }, hasLongTexts);
}

function sendSlice(id: number): void {
  const rest = waiting.get(id);
  if (rest === undefined) return send({ id, hasMore: false });
  if (rest.sent > SENT) {
    collectGarbage();
    rest.sent = 0;
  }
  const slice = rest.slices.shift();
  if (rest.savesMemory) rest.sent += charactersOf(slice?.rows);
  if (rest.slices.length === 0) waiting.delete(id);
  send({ id, slice, hasMore: rest.slices.length > 0 }, rest.hasLongTexts);
}

function send(response: WorkerResponse, hasLongTexts = false): void {
  parentPort?.postMessage(response, hasLongTexts ? longTextsIn(response) : []);
}
