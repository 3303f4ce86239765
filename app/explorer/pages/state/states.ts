import { stateLabels } from "#storage/states/words.ts";
import { type StateKey, stateKeys } from "#storage/states/node-state.ts";
import { computed } from "@preact/signals";
import { about } from "../data/about.ts";
import { now } from "../time/format.ts";

export { stateLabels };
export {
  lastOutcomeOf,
  mostUrgentFirst,
  type NodeStateRow,
  stateColumns,
  stateCondition,
  type StateKey,
  stateKeys,
  stateOf,
} from "#storage/states/node-state.ts";

/** How a state is shown; `storage/states/` says how it is recognised. */
export interface NodeState {
  readonly key: StateKey;
  readonly label: string;
  /** A sentence for help and tool tips. */
  readonly meaning: string;
}

const meanings: Readonly<Record<StateKey, string>> = {
  never: "The node has facts or a catalog, but no report.",
  silent: "The latest report is older than the setting silent-after.",
  failed: "A resource or the whole run failed.",
  hidden: "No new catalog could be had: the run used the cached one, so its status looks healthy.",
  corrective: "The run corrected something that had been changed outside of Puppet.",
  changed: "The run changed something as intended.",
  pending: "The run would have changed something, but only simulated it (noop).",
  unchanged: "Everything was as the catalog says.",
};

/** The states, first one first. */
export const states: readonly NodeState[] = stateKeys.map((key) => ({
  key,
  label: stateLabels[key],
  meaning: meanings[key],
}));

/** Nodes whose latest report is older than this are silent. */
export const silentSince = computed(
  () => new Date(now.value.getTime() - 1000 * (about.value?.settings.silentAfter ?? 7200)),
);
