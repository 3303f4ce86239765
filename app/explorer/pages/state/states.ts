import { type StateKey, stateKeys } from "#storage/query/node-states.ts";

export {
  type NodeStateRow,
  stateColumns,
  stateCondition,
  type StateKey,
  stateKeys,
  stateOf,
} from "#storage/query/node-states.ts";

/** How a state is shown; `storage/query/node-states.ts` says how it is recognised. */
export interface NodeState {
  readonly key: StateKey;
  readonly label: string;
  /** A sentence for help and tool tips. */
  readonly meaning: string;
}

const texts: Readonly<Record<StateKey, Omit<NodeState, "key">>> = {
  never: { label: "never reported", meaning: "The node has facts or a catalog, but no report." },
  silent: { label: "silent", meaning: "The latest report is older than the setting explorer-silent-after." },
  failed: { label: "failed", meaning: "A resource or the whole run failed." },
  hidden: {
    label: "hidden failure",
    meaning: "No new catalog could be had: the run used the cached one, so its status looks healthy.",
  },
  corrective: {
    label: "corrective",
    meaning: "The run corrected something that had been changed outside of Puppet.",
  },
  changed: { label: "changed", meaning: "The run changed something as intended." },
  pending: {
    label: "pending",
    meaning: "The run would have changed something, but only simulated it (noop).",
  },
  unchanged: { label: "unchanged", meaning: "Everything was as the catalog says." },
};

/** The states, first one first. */
export const states: readonly NodeState[] = stateKeys.map((key) => ({ key, ...texts[key] }));

/** Labels of states by key. */
export const stateLabels = Object.fromEntries(states.map(({ key, label }) => [key, label])) as Record<StateKey, string>;
