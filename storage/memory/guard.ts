import { memoryBudget } from "./budget.ts";
import { ownMemory } from "./usage.ts";

/** The process's memory is looked at so often, ms. */
const LOOK = 25;

/** From this part of the limit on, memory that is free but kept is given back … */
const RELIEVE = 0.5;

/** … and from this one on nothing new is begun that takes much. */
const TIGHT = 0.62;

/** Relief takes some milliseconds of the engine and of this thread, so it is sought so seldom, ms. */
const BETWEEN_RELIEFS = 100;

/** From this one on nothing new is begun at all. */
const SCARCE = 0.85;

/** Something new waits no longer than this for memory to be given back, ms: what is in use may be in use for long. */
const PATIENCE = 2000;

/**
 * Gives back what is kept but not used.
 * @param isUrgent whether that may not wait because it was done a moment ago
 */
type Relieve = (isUrgent: boolean) => Promise<void>;

const relievers = new Set<Relieve>();
let timer: NodeJS.Timeout | undefined;
let relieving: Promise<void> | undefined;
let relieved = -Infinity;

/**
 * Watches the process's memory, where there is not much of it.
 * @returns ends it
 */
export function guardMemory(relieve: Relieve): () => void {
  relievers.add(relieve);
  if (memoryBudget().isWatched) timer ??= setInterval(look, LOOK).unref();
  return () => {
    relievers.delete(relieve);
    if (relievers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Whether so much memory is used that nothing should be begun that takes much.
 * @param besides bytes that it is known to take
 */
export function isMemoryTight(besides = 0): boolean {
  return timer !== undefined && part(besides) > TIGHT;
}

/** Resolves when there is room again, or after {@link PATIENCE}; at once where nobody watches. */
export async function memoryToBeFree(besides = 0): Promise<void> {
  for (let waited = 0; isMemoryTight(besides) && waited < PATIENCE; waited += LOOK) {
    void relief();
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** Whether nothing new may be begun, however little it takes. */
export function isMemoryScarce(): boolean {
  return timer !== undefined && part() > SCARCE;
}

/** Gives back at once what is kept but not used, where there is not much memory. */
export async function relieveMemory(): Promise<void> {
  if (timer === undefined) return;
  await relieving;
  relieved = -Infinity;
  await relief(true);
}

function look(): void {
  if (part() > RELIEVE) void relief();
}

function part(besides = 0): number {
  return (ownMemory() + besides) / memoryBudget().limit.bytes;
}

async function relief(isUrgent = false): Promise<void> {
  if (relieving !== undefined || performance.now() - relieved < BETWEEN_RELIEFS) return;
  relieving = Promise.allSettled([...relievers].map((relieve) => relieve(isUrgent))).then(() => undefined);
  await relieving;
  relieved = performance.now();
  relieving = undefined;
}
