import { type StateKey, stateKeys } from "#storage/query/node-states.ts";
import type { Fleet } from "./fleet.ts";

/** The states in the order of their importance to somebody who looks for what is broken. */
export const importantFirst: readonly StateKey[] = [
  "failed",
  "hidden",
  "silent",
  "corrective",
  "pending",
  "changed",
  "unchanged",
  "never",
];

/** How many nodes are in each state. */
export function countsOf({ nodes }: Fleet): readonly { readonly state: StateKey; readonly count: number }[] {
  const counts = new Map<StateKey, number>(stateKeys.map((key) => [key, 0]));
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  return importantFirst.map((state) => ({ state, count: counts.get(state) ?? 0 })).filter(({ count }) => count > 0);
}
