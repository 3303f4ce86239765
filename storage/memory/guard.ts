import { memoryBudget } from "./budget.ts";
import { ownMemory } from "./usage.ts";

/** Milliseconds between checks of the process's memory. */
const CHECK_INTERVAL = 25;

/** From this part of the limit on, memory that is free but not returned to the system is returned … */
const FREE_FROM = 0.5;

/** … and from this part on, no work begins that needs much memory. */
const TIGHT = 0.62;

/** From this part on, no work begins at all. */
const SCARCE = 0.85;

/** Milliseconds that work waits at most for memory, because memory in use may be in use for long. */
const MAX_WAIT = 2000;

/**
 * Returns unused memory to the system.
 * @param isUrgent also shortly after the last time
 */
type Free = (isUrgent: boolean) => Promise<void>;

const listeners = new Set<Free>();
let timer: NodeJS.Timeout | undefined;
let freeing: Promise<void> | undefined;
let freedAt = -Infinity;

/**
 * Watches the process's memory.
 * @param free returns unused memory to the system
 * @returns ends it
 */
export function guardMemory(free: Free): () => void {
  listeners.add(free);
  timer ??= setInterval(check, CHECK_INTERVAL).unref();
  return () => {
    listeners.delete(free);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Whether so much memory is used that no work should begin that needs much.
 * @param besides bytes that the work is known to need
 */
export function isMemoryTight(besides = 0): boolean {
  return timer !== undefined && part(besides) > TIGHT;
}

/** Resolves when there is memory again, or after {@link MAX_WAIT}. */
export async function waitForMemory(besides = 0): Promise<void> {
  for (let waited = 0; isMemoryTight(besides) && waited < MAX_WAIT; waited += CHECK_INTERVAL) {
    void freeNow();
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL));
  }
}

/** Whether no work may begin, however little memory it needs. */
export function isMemoryScarce(): boolean {
  return timer !== undefined && part() > SCARCE;
}

/** Returns unused memory to the system now. */
export async function freeMemory(): Promise<void> {
  if (timer === undefined) return;
  await freeing;
  freedAt = -Infinity;
  await freeNow(true);
}

function check(): void {
  if (part() > FREE_FROM) void freeNow();
}

function part(besides = 0): number {
  return (ownMemory() + besides) / memoryBudget().limit.bytes;
}

async function freeNow(isUrgent = false): Promise<void> {
  // Each return needs some milliseconds of the engine and of this thread.
  if (freeing !== undefined || performance.now() - freedAt < 100) return;
  freeing = Promise.allSettled([...listeners].map((free) => free(isUrgent))).then(() => undefined);
  await freeing;
  freedAt = performance.now();
  freeing = undefined;
}
