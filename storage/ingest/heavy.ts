import { memoryBudget } from "../memory/budget.ts";

/**
 * Whether commands need so much of the memory that nothing else may be prepared or written at the same time.
 * @param bytes of their payloads, unpacked
 */
export function isHeavy(bytes: number): boolean {
  return bytes > memoryBudget().heavy;
}
