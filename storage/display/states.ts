import type { StateKey } from "../query/node-states.ts";

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
