import { literal } from "../pql/text.ts";

/** States of a node, in the order in which they are decided: the first that applies. */
export const stateKeys = [
  "never",
  "silent",
  "failed",
  "hidden",
  "corrective",
  "changed",
  "pending",
  "unchanged",
] as const;

export type StateKey = (typeof stateKeys)[number];

/** The columns of `nodes` that decide a node's state. */
export interface NodeStateRow {
  readonly report_timestamp: string | null;
  readonly latest_report_status: string | null;
  readonly latest_report_corrective_change: boolean | null;
  readonly latest_report_noop_pending: boolean | null;
  readonly cached_catalog_status: string | null;
}

export const stateColumns = [
  "report_timestamp",
  "latest_report_status",
  "latest_report_corrective_change",
  "latest_report_noop_pending",
  "cached_catalog_status",
] as const;

/** How a state is recognised and shown. */
export interface NodeState {
  readonly key: StateKey;
  readonly label: string;
  /** A sentence for help and tool tips. */
  readonly meaning: string;
  /** The condition by itself, whatever the states before it. @param silentSince reports before it are too old */
  readonly own: (silentSince: Date) => string | undefined;
  readonly applies: (row: NodeStateRow, silentSince: Date) => boolean;
}

/** The states, first one first. */
export const states: readonly NodeState[] = [
  {
    key: "never",
    label: "never reported",
    meaning: "The node has facts or a catalog, but no report.",
    own: () => "report_timestamp is null",
    applies: (row) => row.report_timestamp === null,
  },
  {
    key: "silent",
    label: "silent",
    meaning: "The latest report is older than the setting explorer-silent-after.",
    own: (since) => `report_timestamp < ${literal(since)}`,
    applies: (row, since) => row.report_timestamp !== null && new Date(row.report_timestamp) < since,
  },
  {
    key: "failed",
    label: "failed",
    meaning: "A resource or the whole run failed.",
    own: () => 'latest_report_status = "failed"',
    applies: (row) => row.latest_report_status === "failed",
  },
  {
    key: "hidden",
    label: "hidden failure",
    meaning: "No new catalog could be had: the run used the cached one, so its status looks healthy.",
    own: () => 'cached_catalog_status = "on_failure"',
    applies: (row) => row.cached_catalog_status === "on_failure",
  },
  {
    key: "corrective",
    label: "corrective",
    meaning: "The run corrected something that had been changed outside of Puppet.",
    own: () => "latest_report_corrective_change = true",
    applies: (row) => row.latest_report_corrective_change === true,
  },
  {
    key: "changed",
    label: "changed",
    meaning: "The run changed something as intended.",
    own: () => 'latest_report_status = "changed"',
    applies: (row) => row.latest_report_status === "changed",
  },
  {
    key: "pending",
    label: "pending",
    meaning: "The run would have changed something, but only simulated it (noop).",
    own: () => "latest_report_noop_pending = true",
    applies: (row) => row.latest_report_noop_pending === true,
  },
  {
    key: "unchanged",
    label: "unchanged",
    meaning: "Everything was as the catalog says.",
    own: () => undefined,
    applies: () => true,
  },
];

/** Labels of states by key. */
export const stateLabels = Object.fromEntries(states.map(({ key, label }) => [key, label])) as Record<StateKey, string>;

/** The state of a node. @param silentSince reports before it are too old */
export function stateOf(row: NodeStateRow, silentSince: Date): StateKey {
  return states.find(({ applies }) => applies(row, silentSince))?.key ?? "unchanged";
}

/** The condition in PQL on `nodes` that selects exactly the nodes in a state. */
export function stateCondition(key: StateKey, silentSince: Date): string {
  const index = stateKeys.indexOf(key);
  const itself = states[index]?.own(silentSince);
  // A comparison with the latest report's time is false where there is none, so that "never" needs no condition of its own.
  const before = states.slice(1, index).flatMap(({ own }) => own(silentSince) ?? []);
  return [...(itself === undefined ? [] : [itself]), ...before.map((condition) => negated(condition))].join(" and ");
}

/** Also true where the field is null, but for times. */
function negated(condition: string): string {
  if (condition.startsWith("report_timestamp < ")) return condition.replace("<", ">=");
  const [, name = ""] = /^(\w+)/.exec(condition) ?? [];
  return `(${name} is null or !(${condition}))`;
}
