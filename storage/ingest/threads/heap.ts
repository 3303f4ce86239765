import { flushCompileCache } from "node:module";
import type V8 from "node:v8";

/** Milliseconds after which a program has loaded what it takes to do its work. */
const LOAD_TIME = 1000;

/**
 * - While rows stream through it, V8 would let the space for short-lived objects grow to three times 32 MB and keep it. At its
 *   first size streaming is as fast; for other work see `growYoungGeneration`.
 * - Threads that start later prepare commands and begin with 8 MB of it: with 1 MB they would spend a fifth of their time
 *   collecting. One thread collects so small a space faster than several.
 */
const flags = ["--semi-space-growth-factor=1", "--min-semi-space-size=8", "--no-parallel-scavenge"] as const;

/** Loaded when it is needed: otherwise each start would take 2 ms longer. */
function v8(): typeof V8 {
  return process.getBuiltinModule("node:v8");
}

let later: NodeJS.Timeout | undefined;

/** Whether the heap has been tuned. */
let isTuned = false;

/**
 * Tunes V8's heap for a service a second after the start, in a process that runs only Census. Immediately it would make
 * a start a quarter slower: after a flag is set, V8 does not use code that was compiled before, including that of
 * Node's own modules.
 */
export function tuneHeapSoon(): void {
  later = setTimeout(tuneHeap, LOAD_TIME).unref();
}

/** The same now, before threads are started; does nothing unless {@link tuneHeapSoon} was called. */
export function tuneHeap(): void {
  if (later === undefined) return;
  clearTimeout(later);
  later = undefined;
  // The compile cache stores code under the flags that it was loaded with.
  flushCompileCache();
  for (const flag of flags) v8().setFlagsFromString(flag);
  isTuned = true;
}

/** Bytes for short-lived objects in a thread that writes commands: twice the 8 MB of the flag above, as V8 counts them. */
const YOUNG_GENERATION = 16 * 1024 * 1024;

/** The number of small objects that must outlive a collection for V8 to grow the space. */
const SURVIVORS = 60_000;

/** Objects between two checks of the size: a check costs as much as a hundred of them. */
const CHECK_INTERVAL = 5000;

/**
 * Gives the calling thread as much space for short-lived objects as the threads that prepare commands have, if the heap
 * is tuned. Results of those threads live until their batch is written. With V8's initial 1 MB all of them were copied
 * by each collection meanwhile, which was an eighth of the time to store facts. To be called for each batch, since V8
 * shrinks the space when idle.
 */
export function growYoungGeneration(): void {
  if (!isTuned || youngGeneration() >= YOUNG_GENERATION) return;
  v8().setFlagsFromString("--semi-space-growth-factor=8");
  const survivors: number[][] = [];
  for (let index = 1; index <= SURVIVORS; index++) {
    survivors.push([index]);
    if (index % CHECK_INTERVAL === 0 && youngGeneration() >= YOUNG_GENERATION) break;
  }
  v8().setFlagsFromString("--semi-space-growth-factor=1");
}

/** The size of a heap, in bytes, from which on it may grow only slowly: one with the rows of some 50,000 nodes. */
const LARGE_HEAP = 256 * 1024 * 1024;

/** By how many percent of what is in use a large heap grows before V8 collects it. By default it more than doubles. */
const SLOW_GROWTH = 30;

let growsSlowly = false;

/**
 * Lets V8 collect the heap of a service more often once that of the calling thread is large: it would keep as much memory for garbage as
 * for the rows of all nodes. With 100,000 nodes this saves a quarter of a gigabyte. To be called for each batch.
 */
export function limitHeapGrowth(): void {
  if (growsSlowly || !isTuned || v8().getHeapStatistics().total_heap_size < LARGE_HEAP) return;
  growsSlowly = true;
  v8().setFlagsFromString(`--heap-growing-percent=${SLOW_GROWTH}`);
}

function youngGeneration(): number {
  return (
    v8()
      .getHeapSpaceStatistics()
      .find(({ space_name: name }) => name === "new_space")?.space_size ?? Infinity
  );
}

/** The options of V8's collection. */
interface Collection {
  readonly type: "major";
  readonly flavor: "last-resort";
}

/**
 * Collects all garbage in the heap of the calling thread and returns its memory to the system: V8 does not collect
 * while nothing is allocated, and keeps the free pages of an ordinary collection. Blocks the thread for 50 to 150 ms.
 */
export function collectGarbage(): void {
  const { setFlagsFromString } = v8();
  setFlagsFromString("--expose-gc");
  const collect = process.getBuiltinModule("node:vm").runInNewContext("gc") as (how: Collection) => void;
  // V8 drops code that was not called between some collections. This one counts as several and would drop all of it.
  setFlagsFromString("--no-flush-bytecode");
  collect({ type: "major", flavor: "last-resort" });
  setFlagsFromString("--flush-bytecode");
}
