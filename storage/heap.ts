import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";

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
