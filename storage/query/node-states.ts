/**
 * The states of a node, as the explorer counts, filters and colours them: the first that applies. Plain data without
 * imports, so that the pages use the same table as the server. It differs from `state-overview.ts`, which follows
 * PuppetDB: there noop runs come before failed ones, and a node becomes unresponsive by the time at which its report
 * was received.
 */

/** The test of a state on one field of `nodes`. */
type StateTest =
  | { readonly field: string; readonly is: "null" }
  /** The time is older than the threshold for silent nodes. */
  | { readonly field: string; readonly is: "too old" }
  | { readonly field: string; readonly is: "equal"; readonly value: string | boolean };

interface NodeState {
  readonly key: string;
  /** Absent: all other nodes. */
  readonly test?: StateTest;
}

const table = [
  { key: "never", test: { field: "report_timestamp", is: "null" } },
  { key: "silent", test: { field: "report_timestamp", is: "too old" } },
  { key: "failed", test: { field: "latest_report_status", is: "equal", value: "failed" } },
  { key: "hidden", test: { field: "cached_catalog_status", is: "equal", value: "on_failure" } },
  { key: "corrective", test: { field: "latest_report_corrective_change", is: "equal", value: true } },
  { key: "changed", test: { field: "latest_report_status", is: "equal", value: "changed" } },
  { key: "pending", test: { field: "latest_report_noop_pending", is: "equal", value: true } },
  { key: "unchanged" },
] as const satisfies readonly NodeState[];

const states: readonly NodeState[] = table;

export type StateKey = (typeof table)[number]["key"];

/** The states in the order in which they are tested. */
export const stateKeys: readonly StateKey[] = table.map(({ key }) => key);

/** The fields of `nodes` that the tests read. */
export const stateColumns = [
  "report_timestamp",
  "latest_report_status",
  "latest_report_corrective_change",
  "latest_report_noop_pending",
  "cached_catalog_status",
] as const satisfies readonly Extract<(typeof table)[number], { test: unknown }>["test"]["field"][];

/** These fields in a row of `nodes`. */
export interface NodeStateRow {
  readonly report_timestamp: string | null;
  readonly latest_report_status: string | null;
  readonly latest_report_corrective_change: boolean | null;
  readonly latest_report_noop_pending: boolean | null;
  readonly cached_catalog_status: string | null;
}

/** The state of a node. @param silentSince a node whose latest report is older is silent */
export function stateOf(row: NodeStateRow, silentSince: Date): StateKey {
  const values: Readonly<Record<string, unknown>> = { ...row };
  return (
    table.find((state: NodeState) => state.test === undefined || applies(state.test, values, silentSince))?.key ??
    "unchanged"
  );
}

function applies(test: StateTest, row: Readonly<Record<string, unknown>>, silentSince: Date): boolean {
  const value = row[test.field] ?? null;
  if (test.is === "null") return value === null;
  if (test.is === "equal") return value === test.value;
  return typeof value === "string" && new Date(value) < silentSince;
}

/** The PQL condition on `nodes` of a state, provided that no earlier state applies; undefined for the last one. */
export function stateTest(key: StateKey, silentSince: Date): string | undefined {
  const test = states.find((state) => state.key === key)?.test;
  return test === undefined ? undefined : testText(test, silentSince);
}

/** The PQL condition on `nodes` that selects exactly the nodes in a state. */
export function stateCondition(key: StateKey, silentSince: Date): string {
  const place = stateKeys.indexOf(key);
  const own = stateTest(key, silentSince);
  // A comparison with a time is false where there is no time, so "never reported" needs no negation.
  const before = states.slice(1, place).flatMap(({ test }) => (test === undefined ? [] : [negated(test, silentSince)]));
  return [...(own === undefined ? [] : [own]), ...before].join(" and ");
}

function testText(test: StateTest, silentSince: Date): string {
  if (test.is === "null") return `${test.field} is null`;
  if (test.is === "too old") return `${test.field} < "${silentSince.toISOString()}"`;
  return `${test.field} = ${JSON.stringify(test.value)}`;
}

/** The negated test. In PQL a comparison with null is unknown, and so is its negation. */
function negated(test: StateTest, silentSince: Date): string {
  if (test.is === "too old") return `${test.field} >= "${silentSince.toISOString()}"`;
  return `(${test.field} is null or !(${testText(test, silentSince)}))`;
}
