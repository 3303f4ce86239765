import type { StateKey } from "./node-state.ts";

/** The names of the states of nodes, reports and events, the same on terminals and in the explorer. */
export const stateLabels: Readonly<Record<StateKey, string>> = {
  never: "never reported",
  silent: "silent",
  failed: "failed",
  hidden: "hidden failure",
  corrective: "corrective",
  changed: "changed",
  pending: "pending",
  unchanged: "unchanged",
};

/** The statuses of events as states; failures first, skipped resources last. */
export const eventStates: Readonly<Record<string, StateKey>> = {
  failure: "failed",
  success: "changed",
  noop: "pending",
  audit: "unchanged",
  skipped: "never",
};

/** The sign of each state: it has the shape that the explorer draws, so that no state is colour alone. */
export const stateSigns: Readonly<Record<StateKey, string>> = {
  never: "□",
  silent: "◷",
  failed: "✖",
  hidden: "⊗",
  corrective: "◆",
  changed: "▲",
  pending: "◐",
  unchanged: "○",
};

/** The states by their names: labels, and the statuses of reports and events. */
const states: Readonly<Record<string, StateKey>> = {
  ...Object.fromEntries(Object.entries(stateLabels).map(([key, label]) => [label, key as StateKey])),
  ...eventStates,
  // Of `cached_catalog_status`.
  on_failure: "hidden",
};

/** The state with a name, or of the word that PuppetDB has for it. */
export function stateOfWord(word: string): StateKey | undefined {
  return Object.hasOwn(states, word) ? states[word] : undefined;
}
