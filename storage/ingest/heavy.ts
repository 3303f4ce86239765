import { memoryBudget } from "../memory/budget.ts";

/**
 * Whether commands need so much of a limited memory that nothing else may be prepared or written at the same time.
 * @param bytes of their payloads, unpacked
 */
export function isHeavy(bytes: number): boolean {
  const { isWatched, batch } = memoryBudget();
  return isWatched && bytes > 4 * batch.bytes;
}
