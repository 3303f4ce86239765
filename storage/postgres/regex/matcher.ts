import type { Worker } from "node:worker_threads";
import { RegexError } from "./error.ts";
import { MatchTimeout, matchWithin } from "./match.ts";
import type { MatchAnswer, MatchRequest } from "./match-worker.ts";
import { startMatchWorker } from "./worker-code.ts";

/**
 * Up to this many characters are matched on the calling thread, within this time: a call to another thread would cost
 * more.
 */
const ON_CALLER = { characters: 64 * 1024, ms: 5 } as const;

/** Patterns that took too long there, which would take as long for every batch of rows; the latest ones. */
const slowPatterns = new Set<string>();
const MOST_SLOW_PATTERNS = 1000;

interface Pending {
  readonly resolve: (answer: MatchAnswer) => void;
  readonly reject: (error: Error) => void;
}

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let next = 0;
const pending = new Map<number, Pending>();

/**
 * Whether a regular expression matches each of some texts, without blocking the event loop: long work is done on
 * another thread, which gives each caller a turn.
 * @param limitMs milliseconds of matching
 * @throws MatchTimeout when that is not enough; RegexError when the pattern or a text exceeds the engine's limits; the
 *   signal's reason when it is aborted
 */
export async function matchAll(
  regexp: RegExp,
  subjects: readonly string[],
  limitMs: number,
  signal?: AbortSignal,
): Promise<string> {
  const done = matchOnCaller(regexp, subjects);
  if (done.length === subjects.length) return done;
  const id = next++;
  const rest = subjects.slice(done.length);
  const request: MatchRequest = { id, source: regexp.source, flags: regexp.flags, subjects: rest, limitMs };
  const cancel: MatchRequest = { id, cancel: true };
  signal?.throwIfAborted();
  const answer = await new Promise<MatchAnswer>((resolve, reject) => {
    pending.set(id, { resolve, reject });
    const worker = startedThread();
    worker.postMessage(request);
    signal?.addEventListener("abort", () => {
      if (!pending.delete(id)) return;
      worker.postMessage(cancel);
      restIfIdle(worker);
      reject(signal.reason as Error);
    });
  });
  if ("isLate" in answer) throw new MatchTimeout();
  if ("fault" in answer) throw new RegexError("complex");
  return done + answer.matches;
}

function matchOnCaller(regexp: RegExp, subjects: readonly string[]): string {
  if (subjects.reduce((sum, { length }) => sum + length, 0) > ON_CALLER.characters) return "";
  const pattern = String(regexp);
  if (slowPatterns.has(pattern)) return "";
  try {
    const done = matchWithin(regexp, subjects, 0, ON_CALLER.ms);
    if (done.length < subjects.length) noteSlow(pattern);
    return done;
  } catch (error) {
    // The engine exceeds its own limits, size and depth, at the first text.
    if (!(error instanceof MatchTimeout)) throw new RegexError("complex");
    noteSlow(pattern);
    return "";
  }
}

function noteSlow(pattern: string): void {
  slowPatterns.add(pattern);
  const [oldest] = slowPatterns;
  if (slowPatterns.size > MOST_SLOW_PATTERNS && oldest !== undefined) slowPatterns.delete(oldest);
}

function startedThread(): Worker {
  clearTimeout(idle);
  idle = undefined;
  thread?.ref();
  if (thread !== undefined) return thread;
  const worker = startMatchWorker();
  worker.on("message", (answer: MatchAnswer) => {
    pending.get(answer.id)?.resolve(answer);
    pending.delete(answer.id);
    restIfIdle(worker);
  });
  worker.on("error", (error: Error) => {
    thread = undefined;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  });
  thread = worker;
  return worker;
}

/** An idle thread does not keep the process running. Its listeners would, so `unref()` comes after they are added. */
function restIfIdle(worker: Worker): void {
  if (pending.size > 0) return;
  worker.unref();
  idle ??= setTimeout(endThread, 60_000).unref();
}

function endThread(): void {
  void thread?.terminate();
  thread = undefined;
  idle = undefined;
}
