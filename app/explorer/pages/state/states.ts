import { stateLabels } from "#storage/states/words.ts";
import { silenceAt, type StateKey, stateKeys } from "#storage/states/node-state.ts";
import { computed } from "@preact/signals";
import { about } from "../data/about.ts";
import { now } from "../time/format.ts";

export { stateLabels };
export {
  lastOutcomeOf,
  mostUrgentFirst,
  type NodeStateRow,
  outcomeFields,
  type Silence,
  stateFields,
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
  silent: "No report has come for as long as the setting silent-after says.",
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

/** The nodes that are silent now. */
export const silence = computed(() => {
  const after = about.value?.settings.silentAfter;
  return silenceAt(now.value.getTime(), after === null ? "interval" : 1000 * (after ?? 7200));
});
