import { mostUrgentFirst, type StateKey, stateKeys } from "#storage/states/node-state.ts";
import type { Fleet } from "./fleet.ts";

/** How many nodes are in each state. */
export function countsOf({ nodes }: Fleet): readonly { readonly state: StateKey; readonly count: number }[] {
  const counts = new Map<StateKey, number>(stateKeys.map((key) => [key, 0]));
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  return mostUrgentFirst.map((state) => ({ state, count: counts.get(state) ?? 0 })).filter(({ count }) => count > 0);
}
