import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds after which a program has loaded what it takes to do its work. */
const LOADED = 1000;

/**
 * - V8 would let the space for short-lived objects grow to three times 32 MB while rows stream through it. Kept at its
 *   first size it costs nothing that could be measured.
 * - Threads that start later, those that prepare commands, begin with 8 MB of it: with one they would spend a fifth of
 *   their time collecting. So small a space is collected sooner by one thread than shared out among several.
 */
const flags = ["--semi-space-growth-factor=1", "--min-semi-space-size=8", "--no-parallel-scavenge"] as const;

let later: NodeJS.Timeout | undefined;

/**
 * Has V8's heap tuned for service, in a process that is ours: soon, for once a flag is set V8 takes no code any more that
 * was compiled before, of Node's own modules neither. A start would take a quarter longer.
 */
export function tuneHeapSoon(): void {
  later = setTimeout(tuneHeap, LOADED).unref();
}

/** The same at once, for whoever is about to start threads; nothing where the process is another's. */
export function tuneHeap(): void {
  if (later === undefined) return;
  clearTimeout(later);
  later = undefined;
  // What is kept of our own code is kept under the flags that it was loaded with.
  flushCompileCache();
  for (const flag of flags) setFlagsFromString(flag);
}

/** How V8 is asked to collect. */
interface Collection {
  readonly type: "major";
  readonly flavor: "last-resort";
}

/**
 * Collects all garbage in the heap of the thread that calls it, and gives its memory back to the system: V8 would leave it
 * where it is for as long as nothing new is asked of it, and of an ordinary collection it keeps the pages that became free.
 * Takes 50 to 150 ms, in which the thread does nothing else.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (how: Collection) => void;
  collect({ type: "major", flavor: "last-resort" });
}
