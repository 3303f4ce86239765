import { availableParallelism } from "node:os";
import { Allowance } from "../memory/allowance.ts";

/** Maximum wait for other large statements, ms. */
const PATIENCE = 30_000;

/**
 * Large statements that are planned at the same time. The engine cannot be interrupted while it plans, so one processor is
 * left for others. A statement keeps its place until its first rows are there, also when its client no longer waits.
 */
const places = new Allowance(Math.max(1, availableParallelism() - 1), "Too many large queries are being planned");

/** Whether the engine takes long to plan a statement. */
export function isLargeStatement(sql: string): boolean {
  // Statements of a hundred conditions are about this long.
  return sql.length >= 32 * 1024;
}

/**
 * Plans a statement and begins it; a large one when there is a place.
 * @throws CensusError "unavailable" when there is no place in time; the signal's reason
 */
export async function planned<T>(sql: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!isLargeStatement(sql)) return work();
  await places.acquire(1, PATIENCE, signal);
  try {
    signal?.throwIfAborted();
    return await work();
  } finally {
    places.release();
  }
}

/**
 * Waits until a large statement could be planned.
 * @throws as {@link planned}
 */
export async function placeForLarge(signal: AbortSignal): Promise<void> {
  await places.acquire(1, PATIENCE, signal);
  places.release();
}
