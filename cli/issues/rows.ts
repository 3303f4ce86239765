import type { Issue, IssueDetail } from "#storage/issues/issue.ts";
import type { JsonObject } from "#storage/json.ts";
import { lastOutcomeOf, stateOf, type Silence } from "#storage/states/node-state.ts";
import { stateLabels } from "#storage/states/words.ts";
import { counted } from "../output/counted.ts";

/** An issue as a row. */
export function issueRow(issue: Issue): JsonObject {
  const { id, state, still, nodes, kind, message, first, last } = issue;
  const resource = resourceOf(issue);
  return { issue: id, issue_state: state, still, nodes, kind, resource, message, class: issue.class, first, last };
}

/** The resource that failed; null where it is none's. */
export function resourceOf({ type, title }: Pick<Issue, "type" | "title">): string | null {
  return type === null ? null : `${type}[${title ?? ""}]`;
}

/** The nodes of an issue as rows. */
export function nodeRows({ nodes }: IssueDetail, silence: Silence): JsonObject[] {
  return nodes.map((node) => {
    const outcome = lastOutcomeOf(node);
    return {
      certname: node.certname,
      has_it: node.still,
      state: stateLabels[stateOf(node, silence)],
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
  const { kind, message, state, still, nodes, elsewhere } = issue;
  const since =
    begin.versionBefore === null || begin.versionBefore === begin.version ? "" : `, before it ${begin.versionBefore}`;
  return [
    `${resourceOf(issue) ?? kind}: ${message}`,
    `${state}: still on ${still} of ${counted(nodes, "node")}`,
    `first run with it: ${begin.time} on ${begin.certname} (code version ${begin.version}${since})`,
    ...(elsewhere === 0 ? [] : [`${counted(elsewhere, "other issue has", "other issues have")} the same message`]),
    "",
  ].join("\n");
}
