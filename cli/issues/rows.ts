import type { Issue, IssueDetail } from "#storage/issues/issue.ts";
import type { JsonObject } from "#storage/json.ts";
import { lastOutcomeOf, stateOf } from "#storage/states/node-state.ts";
import { stateLabels } from "#storage/states/words.ts";

/** An issue as a row. */
export function issueRow({
  id,
  state,
  still,
  nodes,
  kind,
  type,
  title,
  message,
  first,
  last,
  class: name,
}: Issue): JsonObject {
  return {
    issue: id,
    issue_state: state,
    still,
    nodes,
    kind,
    resource: type === null ? null : `${type}[${title ?? ""}]`,
    message,
    class: name,
    first,
    last,
  };
}

/** The nodes of an issue as rows. @param silentSince a node whose latest report is older is silent */
export function nodeRows({ nodes }: IssueDetail, silentSince: Date): JsonObject[] {
  return nodes.map((node) => {
    const outcome = lastOutcomeOf(node);
    return {
      certname: node.certname,
      has_it: node.still,
      state: stateLabels[stateOf(node, silentSince)],
      last_run: outcome === undefined ? null : stateLabels[outcome],
      environment: node.environment,
      first: node.first,
      last: node.time,
      report: node.report,
    };
  });
}

/** What is said of an issue above its nodes. */
export function issueText({ issue, begin }: IssueDetail): string {
  const { kind, type, title, message, state, still, nodes, elsewhere } = issue;
  const what = type === null ? kind : `${type}[${title ?? ""}]`;
  const since =
    begin.versionBefore === null || begin.versionBefore === begin.version ? "" : `, before it ${begin.versionBefore}`;
  return [
    `${what}: ${message}`,
    `${state}: still on ${still} of ${nodes} ${nodes === 1 ? "node" : "nodes"}`,
    `first run with it: ${begin.time} on ${begin.certname} (code version ${begin.version}${since})`,
    ...(elsewhere === 0
      ? []
      : [`${elsewhere} other ${elsewhere === 1 ? "issue has" : "issues have"} the same message`]),
    "",
  ].join("\n");
}
