/*
 * The one definition of a node's state and of a run's outcome, for the explorer, the commands, the metrics and the alert
 * rules. Plain data without imports, so that the pages in the browser use it too. Only `state-overview.ts` and the metric
 * `puppetdb_node_report_status_count` differ: they follow PuppetDB and its exporter.
 */

/** A test of one field of a run: of its report, and of the node whose latest run it is. */
interface OutcomeTest {
  readonly node: string;
  readonly report: string;
  readonly value: string | boolean;
}

interface Outcome {
  readonly key: string;
  /** Absent: all other runs. */
  readonly test?: OutcomeTest;
}

/**
 * The outcomes of a run: the first that applies. A hidden failure used the cached catalog because there was no new one;
 * a corrective run reverted a change that was made outside of Puppet; a pending one would have changed something, but
 * only simulated it.
 */
const outcomes = [
  { key: "failed", test: { node: "latest_report_status", report: "status", value: "failed" } },
  {
    key: "hidden",
    test: { node: "cached_catalog_status", report: "cached_catalog_status", value: "on_failure" },
  },
  {
    key: "corrective",
    test: { node: "latest_report_corrective_change", report: "corrective_change", value: true },
  },
  { key: "changed", test: { node: "latest_report_status", report: "status", value: "changed" } },
  { key: "pending", test: { node: "latest_report_noop_pending", report: "noop_pending", value: true } },
  { key: "unchanged" },
] as const satisfies readonly Outcome[];

const listed: readonly Outcome[] = outcomes;

export type OutcomeKey = (typeof outcomes)[number]["key"];

/** A node that never reported, or has not for some time, has no other state: see {@link lastOutcomeOf}. */
export type StateKey = "never" | "silent" | OutcomeKey;

/** The outcomes of a run in the order in which they are tested. */
export const outcomeKeys: readonly OutcomeKey[] = outcomes.map(({ key }) => key);

/** The states in the order in which they are tested. */
export const stateKeys: readonly StateKey[] = ["never", "silent", ...outcomeKeys];

/** The states in the order in which they need attention. */
export const mostUrgentFirst: readonly StateKey[] = [
  "failed",
  "hidden",
  "silent",
  "corrective",
  "pending",
  "changed",
  "unchanged",
  "never",
];

/** Milliseconds without a report after which a node is silent, unless the setting `silent-after` says otherwise. */
export const SILENT_AFTER_MS = 2 * 3_600_000;

/** Milliseconds without a report after which a node is silent; `interval`: when by its own interval a report is overdue. */
export type SilentAfter = number | "interval";

/** The nodes that are silent: those whose field of `nodes` is before a time. */
export interface Silence {
  readonly field: "report_timestamp" | "report_due";
  readonly before: Date;
}

/** Who is silent at a time. @param now milliseconds since the epoch */
export function silenceAt(now: number, after: SilentAfter): Silence {
  if (after === "interval") return { field: "report_due", before: new Date(now) };
  return { field: "report_timestamp", before: new Date(now - after) };
}

/** The fields of `nodes` that the tests of a run's outcome read. */
export const outcomeFields = [
  "latest_report_status",
  "latest_report_corrective_change",
  "latest_report_noop_pending",
  "cached_catalog_status",
] as const;

/** The fields of `nodes` that the tests read. PuppetDB has no `report_due`: it is read only where it decides. */
export function stateFields({ field }: Silence): readonly (keyof NodeStateRow)[] {
  return ["report_timestamp", ...outcomeFields, ...(field === "report_due" ? [field] : [])];
}

/** These fields in a row of `nodes`. */
export interface NodeStateRow {
  readonly report_timestamp: string | null;
  readonly report_due?: string | null;
  readonly latest_report_status: string | null;
  readonly latest_report_corrective_change: boolean | null;
  readonly latest_report_noop_pending: boolean | null;
  readonly cached_catalog_status: string | null;
}

/** The fields of `reports` that the tests read. */
export const outcomeColumns = ["status", "cached_catalog_status", "corrective_change", "noop_pending"] as const;

/** These fields in a row of `reports`. */
export interface OutcomeRow {
  readonly status: string | null;
  readonly cached_catalog_status: string | null;
  readonly corrective_change: boolean | null;
  readonly noop_pending: boolean | null;
}

/** The outcome of a run. */
export function outcomeOf(report: OutcomeRow): OutcomeKey {
  return firstOutcome("report", { ...report });
}

/** The outcome of a node's latest run, which says of a silent node how it was; undefined if it never reported. */
export function lastOutcomeOf(node: NodeStateRow): OutcomeKey | undefined {
  return node.report_timestamp === null ? undefined : firstOutcome("node", { ...node });
}

/** The state of a node. */
export function stateOf(node: NodeStateRow, { field, before }: Silence): StateKey {
  const outcome = lastOutcomeOf(node);
  if (outcome === undefined) return "never";
  return new Date(node[field] ?? "") < before ? "silent" : outcome;
}

function firstOutcome(of: "node" | "report", row: Readonly<Record<string, unknown>>): OutcomeKey {
  const applies = ({ test }: Outcome): boolean => test === undefined || row[test[of]] === test.value;
  return outcomes.find(applies)?.key ?? "unchanged";
}

/** The field of `reports` and the value that tell an outcome, provided that no earlier one applies; none for the last. */
export function outcomeTest(key: OutcomeKey): { readonly field: string; readonly value: string | boolean } | undefined {
  const test = listed.find((outcome) => outcome.key === key)?.test;
  return test === undefined ? undefined : { field: test.report, value: test.value };
}

/** The PQL condition on `nodes` of a state, provided that no earlier state applies; undefined for the last one. */
export function stateTest(key: StateKey, { field, before }: Silence): string | undefined {
  if (key === "never") return "report_timestamp is null";
  if (key === "silent") return `${field} < "${before.toISOString()}"`;
  const test = listed.find((outcome) => outcome.key === key)?.test;
  return test === undefined ? undefined : testText("node", test);
}

/** The PQL condition on `nodes` that selects exactly the nodes in a state. */
export function stateCondition(key: StateKey, silence: Silence): string {
  if (key === "never" || key === "silent") return stateTest(key, silence) ?? "";
  // A comparison with a time is false where there is no time, so "never reported" needs no negation.
  return `${outcomeCondition("node", key)} and ${silence.field} >= "${silence.before.toISOString()}"`;
}

/**
 * The PQL condition that selects the runs with an outcome.
 * @param of `report`: a condition on `reports`; `node`: on `nodes`, about their latest runs, those of silent nodes included
 */
export function outcomeCondition(of: "node" | "report", key: OutcomeKey): string {
  const earlier = listed.slice(0, outcomeKeys.indexOf(key)).flatMap(({ test }) => (test === undefined ? [] : [test]));
  const own = listed.find((outcome) => outcome.key === key)?.test;
  // In PQL a comparison with null is unknown, and so is its negation.
  const others = earlier.map((test) => `(${test[of]} is null or !(${testText(of, test)}))`);
  return [...(own === undefined ? [] : [testText(of, own)]), ...others].join(" and ");
}

function testText(of: "node" | "report", test: OutcomeTest): string {
  return `${test[of]} = ${JSON.stringify(test.value)}`;
}
