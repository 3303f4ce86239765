import { parentPort } from "node:worker_threads";
import { messageOf } from "../../errors.ts";
import { lowerPriority } from "../../thread-priority.ts";
import { MatchTimeout, matchWithin } from "./match.ts";

/** A request: texts to match, or the end of a job that is not needed any more. */
export type MatchRequest =
  | {
      readonly id: number;
      readonly source: string;
      readonly flags: string;
      readonly subjects: readonly string[];
      /** Milliseconds of matching. */
      readonly limitMs: number;
    }
  | { readonly id: number; readonly cancel: true };

/** The answer: a 1 or a 0 for each text, or the error. */
export type MatchAnswer =
  | { readonly id: number; readonly matches: string }
  | { readonly id: number; readonly isLate: true }
  | { readonly id: number; readonly fault: string };

interface Job {
  readonly id: number;
  readonly regexp: RegExp;
  readonly subjects: readonly string[];
  matches: string;
  /** Remaining milliseconds, and those of its next turn. */
  remainingMs: number;
  turn: number;
}

/**
 * Milliseconds of a job's first turn; a job that does not finish a single text in its turn gets twice the time next.
 */
const TURN = 50;

// Requests that do not wait for a pattern are answered first.
lowerPriority();

const jobs = new Map<number, Job>();
let isRunning = false;

parentPort?.on("message", (request: MatchRequest) => {
  if ("cancel" in request) {
    jobs.delete(request.id);
    return;
  }
  const { id, source, flags, subjects, limitMs } = request;
  try {
    jobs.set(id, { id, regexp: new RegExp(source, flags), subjects, matches: "", remainingMs: limitMs, turn: TURN });
  } catch (error) {
    answer({ id, fault: messageOf(error) });
  }
  if (!isRunning) void run();
});

/** Gives each job a turn repeatedly, so that a cheap one does not wait for an expensive one. */
async function run(): Promise<void> {
  isRunning = true;
  while (jobs.size > 0) {
    for (const job of jobs.values()) {
      step(job);
      // Requests that arrived meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  isRunning = false;
}

function step(job: Job): void {
  const began = performance.now();
  const before = job.matches.length;
  try {
    job.matches += matchWithin(job.regexp, job.subjects, before, Math.min(job.turn, job.remainingMs));
  } catch (error) {
    if (!(error instanceof MatchTimeout)) return finish({ id: job.id, fault: messageOf(error) });
  }
  job.remainingMs -= performance.now() - began;
  job.turn = job.matches.length === before ? job.turn * 2 : TURN;
  if (job.matches.length === job.subjects.length) finish({ id: job.id, matches: job.matches });
  else if (job.remainingMs <= 0) finish({ id: job.id, isLate: true });
}

function finish(result: MatchAnswer): void {
  if (jobs.delete(result.id)) answer(result);
}

function answer(result: MatchAnswer): void {
  parentPort?.postMessage(result);
}
