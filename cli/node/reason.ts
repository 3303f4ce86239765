import { shortFailure } from "#storage/display/short-failure.ts";
import { formatAge } from "#storage/display/spans.ts";
import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { lastOutcomeOf, type NodeStateRow, type StateKey } from "#storage/states/node-state.ts";
import { counted } from "../output/counted.ts";
import type { Failure } from "./failures.ts";

/** What is known of a node when its state is explained. */
export interface NodeFindings {
  /** The row of `nodes`. */
  readonly node: JsonObject;
  /** The latest run, as `census reports` lists it. */
  readonly run: JsonObject | undefined;
  readonly failures: readonly Failure[];
  readonly now: Date;
}

type Reason = (findings: NodeFindings) => string;

/** Why a node is in a state. */
const reasons: Readonly<Record<StateKey, Reason>> = {
  never: () => "it has sent no report yet",
  silent,
  failed,
  hidden: () => "its latest run used a cached catalog, because a new one could not be compiled",
  corrective: ({ run }) => `its latest run corrected changes that were made outside of Puppet${changedText(run)}`,
  changed: ({ run }) => `its latest run changed something${changedText(run)}`,
  pending: () => "its latest run would have changed something, but ran in noop mode",
  unchanged: () => "its latest run had nothing to change",
};

/** Why a node is in its state, in a sentence without its end. */
export function reasonOf(state: StateKey, findings: NodeFindings): string {
  return reasons[state](findings);
}

function silent(findings: NodeFindings): string {
  const { node, now } = findings;
  const outcome = lastOutcomeOf(node as unknown as NodeStateRow) ?? "unchanged";
  const reason = outcome === "failed" ? `its latest run failed: ${failed(findings)}` : reasons[outcome](findings);
  return `its latest report is of ${formatAge(cellText(node["report_timestamp"]), now)}, and ${reason}`;
}

function changedText(run: JsonObject | undefined): string {
  const count = Number(cellText(run?.["changed"]));
  return count > 0 ? ` (${counted(count, "resource")})` : "";
}

function failed({ node, failures: [first, ...others] }: NodeFindings): string {
  if (first === undefined) return "its latest run failed without an error in the report";
  const message = shortFailure(first.message ?? "no message", { certname: cellText(node["certname"]) });
  const what = first.resource === null ? message : `${first.resource}: ${message}`;
  return others.length === 0 ? what : `${what} (and ${others.length} more)`;
}
