import { isObject, type Json, parseJson } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { issueStates } from "#storage/issues/issue.ts";
import {
  lastOutcomeOf,
  type NodeStateRow,
  type OutcomeKey,
  outcomeKeys,
  type SilentAfter,
  silenceAt,
  stateFields,
  type StateKey,
  stateKeys,
  stateOf,
} from "#storage/states/node-state.ts";
import { stateLabels } from "#storage/states/words.ts";
import { parseTimestamp } from "#storage/time.ts";
import { headText, metricText, sampleText } from "./text.ts";

/*
 * The metrics of nodes that the commonly used exporter has, under its names (`reference/clients.md §9`). There are one
 * line per node, and dozens per node for its latest report's metrics: they are written as they are read.
 */

/** A node whose latest report is older has not reported (µs). */
const UNREPORTED = 2n * 60n * 60n * 1_000_000n;

/** Categories of a report's metrics that are exported. */
const categories = ["resources", "time", "changes", "events"] as const;

/** `puppetdb_node_report_status_count`: active nodes by status. */
export async function* statusLines(store: Store): AsyncGenerator<string> {
  const counts = new Map<string, number>();
  const fields = ["deactivated", "report_timestamp", "latest_report_status"];
  for await (const node of rowsOf(store, "nodes", ["extract", fields])) {
    if (node["deactivated"] !== null) continue;
    const reported = reportTime(node);
    const isLate = reported === undefined || reported + UNREPORTED < store.clock.now();
    const status = isLate ? "unreported" : labelText(node["latest_report_status"]) || "unreported";
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  yield metricText({
    name: "puppetdb_node_report_status_count",
    type: "gauge",
    help: "Total count of reports status by type",
    samples: [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([status, value]) => ({ labels: { status }, value })),
  });
}

/** `census_nodes`: active nodes by state, and `census_silent_nodes` by the outcome of their last run. */
export async function* stateLines(store: Store, silentAfter: SilentAfter): AsyncGenerator<string> {
  const silence = silenceAt(Number(store.clock.now() / 1000n), silentAfter);
  const states = new Map<StateKey, number>(stateKeys.map((key) => [key, 0]));
  const silent = new Map<OutcomeKey, number>(outcomeKeys.map((key) => [key, 0]));
  const query: Json = ["extract", ["deactivated", "expired", ...stateFields(silence)]];
  for await (const node of rowsOf(store, "nodes", query)) {
    if (node["deactivated"] !== null || node["expired"] !== null) continue;
    const row = node as unknown as NodeStateRow;
    const state = stateOf(row, silence);
    states.set(state, (states.get(state) ?? 0) + 1);
    const last = state === "silent" ? lastOutcomeOf(row) : undefined;
    if (last !== undefined) silent.set(last, (silent.get(last) ?? 0) + 1);
  }
  yield metricText({
    name: "census_nodes",
    type: "gauge",
    help: "Active nodes by state",
    samples: [...states].map(([key, value]) => ({ labels: { state: stateLabels[key] }, value })),
  });
  yield metricText({
    name: "census_silent_nodes",
    type: "gauge",
    help: "Silent nodes by the outcome of their last run",
    samples: [...silent].map(([key, value]) => ({ labels: { last_run: stateLabels[key] }, value })),
  });
}

/** `census_issues`: issues that nodes have in their latest run, by state. */
export async function* issueLines(store: Store): AsyncGenerator<string> {
  const now = Number(store.clock.now() / 1000n);
  const { states } = await store.issues.list({
    from: now - ISSUES_OF_MS,
    to: now + 1,
    now,
    nodes: { pql: "nodes{}" },
    filter: {},
    order: "still",
    limit: 1,
  });
  yield metricText({
    name: "census_issues",
    type: "gauge",
    help: "Issues of the last 24 hours that nodes still have, by state",
    samples: issueStates
      .filter((state) => state !== "resolved")
      .map((state) => ({ labels: { state }, value: states[state] })),
  });
}

/** Failures that are counted, ms. */
const ISSUES_OF_MS = 24 * 3_600_000;

/** `puppet_report`: when each node's latest report was made. */
export async function* nodeLines(store: Store): AsyncGenerator<string> {
  const name = "puppet_report";
  yield headText({ name, type: "gauge", help: "Timestamp of latest report" });
  const fields = ["certname", "deactivated", "report_timestamp", "report_environment"];
  for await (const node of rowsOf(store, "nodes", ["extract", fields])) {
    const reported = reportTime(node);
    if (reported === undefined) continue;
    const labels = {
      environment: labelText(node["report_environment"]),
      host: labelText(node["certname"]),
      deactivated: String(node["deactivated"] !== null),
    };
    yield sampleText(name, { labels, value: Number(reported / 1_000_000n) });
  }
}

/** When the latest report of a node was made (µs). */
function reportTime({ report_timestamp: at }: Record<string, Json>): bigint | undefined {
  return typeof at === "string" ? parseTimestamp(at) : undefined;
}

/** `puppet_report_<category>`: the metrics of each node's latest report. */
export async function* reportLines(store: Store): AsyncGenerator<string> {
  const query: Json = ["extract", ["certname", "environment", "metrics"], ["=", "latest_report?", true]];
  for (const category of categories) {
    const name = `puppet_report_${category}`;
    yield headText({ name, type: "gauge", help: `Total count of ${category} per status` });
    // The lines of one metric must be consecutive, and all of them together may exceed the memory.
    for await (const { certname, environment, metrics } of rowsOf(store, "reports", query)) {
      const data = isObject(metrics) && Array.isArray(metrics["data"]) ? metrics["data"] : [];
      const lines = data.map((metric) => {
        if (!isObject(metric) || metric["category"] !== category) return "";
        const value = Number(labelText(metric["value"]));
        if (Number.isNaN(value)) return "";
        const labels = {
          name: titled(labelText(metric["name"])),
          environment: labelText(environment),
          host: labelText(certname),
        };
        return sampleText(name, { labels, value });
      });
      yield lines.join("");
    }
  }
}

/** Rows of an entity, of every node whatever its state. */
async function* rowsOf(store: Store, entity: string, query: Json): AsyncGenerator<Record<string, Json>> {
  const plan = store.queries.plan({ of: { entity, activeOnly: false }, query });
  const { rows } = await store.queries.run(plan);
  for await (const some of rows) {
    for (const text of some.texts()) yield parseJson(text) as Record<string, Json>;
  }
}

/** `failed_to_restart` → `Failed to restart`. */
function titled(name: string): string {
  return name.replaceAll(/(?<!\w)[a-z]/g, (letter) => letter.toUpperCase()).replaceAll("_", " ");
}

function labelText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
