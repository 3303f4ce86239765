import { flushCompileCache } from "node:module";
import type V8 from "node:v8";
import { memoryBudget } from "../../memory/budget.ts";

/** Milliseconds after which a program has loaded what it takes to do its work. */
const LOADED = 1000;

/**
 * - V8 would let the space for short-lived objects grow to three times 32 MB while rows stream through it, and there it
 *   stays. Kept at its first size it costs them nothing that could be measured; for other work see `growYoungGeneration`.
 * - Threads that start later, those that prepare commands, begin with 8 MB of it: with one they would spend a fifth of
 *   their time collecting. So small a space is collected sooner by one thread than shared out among several.
 */
const flags = ["--semi-space-growth-factor=1", "--min-semi-space-size=8", "--no-parallel-scavenge"] as const;

/** The same where there is little memory: space for short-lived objects stays small in every thread. */
const sparingFlags = ["--semi-space-growth-factor=1", "--no-parallel-scavenge"] as const;

/** Loaded when it is needed: it would take each start 2 ms. */
function v8(): typeof V8 {
  return process.getBuiltinModule("node:v8");
}

let later: NodeJS.Timeout | undefined;

/** Whether the heap has been tuned. */
let isTuned = false;

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
  for (const flag of memoryBudget().isWatched ? sparingFlags : flags) v8().setFlagsFromString(flag);
  isTuned = true;
}

/** Bytes for short-lived objects in a thread that takes commands in: twice the 8 MB of the flag above, as V8 counts them. */
const YOUNG_GENERATION = 16 * 1024 * 1024;

/** V8 thinks of growing when so many small objects have outlived a collection, and less than that would not do. */
const SURVIVORS = 60_000;

/** Looking at the size costs as much as a hundred objects, so it is looked so seldom. */
const LOOK = 5000;

/**
 * Gives the thread that calls it as much room for short-lived objects as the threads have which prepare commands; where the
 * heap is another's to tune, nothing happens. What comes across from those threads lives until a batch is written, and in
 * the 1 MB that V8 begins with all of it is copied from place to place meanwhile: that was an eighth of what it took to take
 * in facts. To be called again and again, for V8 takes the room back when there is nothing to do.
 */
export function growYoungGeneration(): void {
  if (!isTuned || memoryBudget().isWatched || youngGeneration() >= YOUNG_GENERATION) return;
  v8().setFlagsFromString("--semi-space-growth-factor=8");
  const survivors: number[][] = [];
  for (let index = 1; index <= SURVIVORS; index++) {
    survivors.push([index]);
    if (index % LOOK === 0 && youngGeneration() >= YOUNG_GENERATION) break;
  }
  v8().setFlagsFromString("--semi-space-growth-factor=1");
}

function youngGeneration(): number {
  return (
    v8()
      .getHeapSpaceStatistics()
      .find(({ space_name: name }) => name === "new_space")?.space_size ?? Infinity
  );
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
  const { setFlagsFromString } = v8();
  setFlagsFromString("--expose-gc");
  const collect = process.getBuiltinModule("node:vm").runInNewContext("gc") as (how: Collection) => void;
  // Code goes that was not called between some collections. This makes several at once, and then all of it would.
  setFlagsFromString("--no-flush-bytecode");
  collect({ type: "major", flavor: "last-resort" });
  setFlagsFromString("--flush-bytecode");
}
