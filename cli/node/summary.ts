import { CensusError } from "#storage/errors.ts";
import type { JsonObject } from "#storage/json.ts";
import {
  lastOutcomeOf,
  type NodeStateRow,
  outcomeColumns,
  type OutcomeKey,
  outcomeOf,
  type OutcomeRow,
  type StateKey,
  type SilentAfter,
  silenceAt,
  stateFields,
  stateOf,
} from "#storage/states/node-state.ts";
import { stateLabels } from "#storage/states/words.ts";
import type { Timestamp } from "#storage/time.ts";
import { fullCertname } from "../names/full-certname.ts";
import { countOf } from "../short-forms/groups.ts";
import { equal, pqlText } from "../short-forms/pql.ts";
import { reportFields, reportRow } from "../short-forms/reports.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import { type Failure, failuresOf, textOrNull } from "./failures.ts";
import { mainFactNames, mainFacts } from "./main-facts.ts";
import { reasonOf } from "./reason.ts";

/** What `census node` shows. */
export interface NodeSummary {
  readonly certname: string;
  readonly state: StateKey;
  /** What its latest run was, also of a silent node; null: it never reported. */
  readonly last_run: OutcomeKey | null;
  /** Why it is in this state, in a sentence. */
  readonly reason: string;
  readonly deactivated: string | null;
  readonly expired: string | null;
  readonly environment: string | null;
  readonly facts_timestamp: string | null;
  readonly catalog_timestamp: string | null;
  readonly report_timestamp: string | null;
  /** What failed in the latest run. */
  readonly failures: readonly Failure[];
  /** The latest runs, as `census reports` lists them, with the state that each left the node in. */
  readonly runs: readonly JsonObject[];
  readonly facts: JsonObject;
  readonly classes: readonly string[];
  readonly resources: number;
  readonly packages: number;
}

/** What is read of `nodes` besides the state. */
const otherColumns: readonly string[] = [
  "report_environment",
  "catalog_environment",
  "facts_environment",
  "facts_timestamp",
  "catalog_timestamp",
  "latest_report_hash",
  "deactivated",
  "expired",
];

/** What a source says of time: the present one, and when a node is silent. */
export interface SourceClock {
  readonly now: () => Promise<Timestamp>;
  readonly silentAfter: () => Promise<SilentAfter>;
}

/**
 * The node of this certname, or of the only one that begins with it up to a dot.
 * @throws UsageError naming the nearest certnames when there is none
 */
export async function namedNode(name: string, readRows: ReadRows, clock: SourceClock): Promise<NodeSummary> {
  const found = await nodeSummary(await fullCertname("node: ", name, [readRows]), readRows, clock);
  if (found !== undefined) return found;
  throw new CensusError("not-found", `node: ${name} was removed meanwhile`);
}

/** Reads all that is shown of a node; undefined when there is none of this name. */
export async function nodeSummary(
  certname: string,
  readRows: ReadRows,
  { now, silentAfter }: SourceClock,
): Promise<NodeSummary | undefined> {
  const named = equal("certname", certname);
  const present = Number((await now()) / 1000n);
  const silence = silenceAt(present, await silentAfter());
  const fields = [...stateFields(silence), ...otherColumns];
  const [node] = await readRows(pqlText({ entity: "nodes", fields, conditions: [named, 'node_state = "any"'] }));
  if (node === undefined) return undefined;
  const isInactive = textOrNull(node["deactivated"]) !== null || textOrNull(node["expired"]) !== null;
  // Queries leave out inactive nodes unless they mention the state.
  const own = [named, isInactive ? 'node_state = "any"' : undefined];
  const readRowsOfNode = async (
    entity: string,
    names: readonly string[],
    ...conditions: string[]
  ): Promise<JsonObject[]> => readRows(pqlText({ entity, fields: names, conditions: [...own, ...conditions] }));
  const state = stateOf(node as unknown as NodeStateRow, silence);
  const runs = await runsOf(own, readRows);
  const failures = textOrNull(node["latest_report_status"]) === "failed" ? await failuresOf(node, readRowsOfNode) : [];
  const facts = await readRowsOfNode("facts", ["name", "value"], namesCondition);
  const classes = await readRowsOfNode("resources", ["title"], 'type = "Class"');
  const [resources] = await readRowsOfNode("resources", ["count()"]);
  const [packages] = await readRowsOfNode("package_inventory", ["count()"]);
  return {
    certname,
    state,
    last_run: lastOutcomeOf(node as unknown as NodeStateRow) ?? null,
    reason: reasonOf(state, { node: { ...node, certname }, run: runs[0], failures, now: new Date(present) }),
    deactivated: textOrNull(node["deactivated"]),
    expired: textOrNull(node["expired"]),
    environment: textOrNull(node["report_environment"] ?? node["catalog_environment"] ?? node["facts_environment"]),
    facts_timestamp: textOrNull(node["facts_timestamp"]),
    catalog_timestamp: textOrNull(node["catalog_timestamp"]),
    report_timestamp: textOrNull(node["report_timestamp"]),
    failures,
    runs,
    facts: mainFacts(Object.fromEntries(facts.map(({ name, value = null }) => [textOrNull(name) ?? "", value]))),
    classes: classes.map(({ title }) => textOrNull(title) ?? "").sort(),
    resources: resources === undefined ? 0 : countOf(resources),
    packages: packages === undefined ? 0 : countOf(packages),
  };
}

const namesCondition = `name in [${mainFactNames.map((name) => JSON.stringify(name)).join(", ")}]`;

async function runsOf(conditions: readonly (string | undefined)[], readRows: ReadRows): Promise<JsonObject[]> {
  const fields = [...new Set([...reportFields, ...outcomeColumns])];
  const order = ["order by end_time desc limit 8"];
  const reports = await readRows(pqlText({ entity: "reports", fields, conditions, order }));
  return reports.map((report) => {
    const { certname: _, ...row } = reportRow(report);
    return { state: stateLabels[outcomeOf(report as unknown as OutcomeRow)], ...row };
  });
}
