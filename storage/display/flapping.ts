/** Fewer changes are a failure that began, or one that ended. */
export const FEWEST_CHANGES = 2;

/** The number of times that runs of a node changed between failing and not. @param statuses the oldest first */
export function statusChanges(statuses: readonly unknown[]): number {
  return statuses.filter((status, at) => at > 0 && (status === "failed") !== (statuses[at - 1] === "failed")).length;
}
