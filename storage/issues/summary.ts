import { rulesVersion } from "./fold.ts";
import type { Issue, IssueFilter, IssueOrder, Issues, IssueScope } from "./issue.ts";
import type { KnownFailures, KnownIssue, Visit } from "./known-failures.ts";

/** Parts of the range in a sparkline. */
const SPARKS = 24;

/** The counts of an issue. */
class Counts {
  readonly nodes = new Set<number>();
  readonly environments = new Set<string>();
  readonly spark = Array.from({ length: SPARKS }, () => 0);
  events = 0;
  /** Of all reports. */
  first = Infinity;
  last = -Infinity;
  /** The latest report within the range. */
  latest: Visit | undefined;
}

/** Issues that occur in a scope. */
export function summarized(
  known: KnownFailures,
  scope: IssueScope,
  { filter, order, limit, isComplete }: { filter: IssueFilter; order: IssueOrder; limit: number; isComplete: boolean },
): Issues {
  const counted = countedIssues(known, scope);
  const issues = [...counted]
    .map(([number, counts]) => ({ issue: known.issue(number), counts }))
    .filter(({ issue, counts }) => counts.latest !== undefined && isIncluded(issue, filter))
    .sort((a, b) => orders[order](b.counts) - orders[order](a.counts) || compareTexts(a.issue, b.issue));
  return {
    rules: rulesVersion,
    isComplete,
    total: issues.length,
    issues: issues.slice(0, limit).map(({ issue, counts }) => issueOf(known, scope, issue, counts, isComplete)),
  };
}

/** One issue; undefined if it does not occur in the scope. */
export function summarizedIssue(
  known: KnownFailures,
  scope: IssueScope,
  number: number,
  isComplete: boolean,
): Issue | undefined {
  const counts = countedIssues(known, scope, number).get(number);
  if (counts?.latest === undefined) return undefined;
  return issueOf(known, scope, known.issue(number), counts, isComplete);
}

/** Whether a report is in the scope, whether or not it was sent in the time range. */
export function isInScope({ environment, node, isOfAgent, time }: Visit, scope: IssueScope): boolean {
  if (scope.until !== undefined && time > scope.until) return false;
  if (!isOfAgent && !scope.everyReportType) return false;
  if (scope.environment !== undefined && environment !== scope.environment) return false;
  return scope.nodes?.has(node) !== false;
}

/** @param only the number of the only issue to count; absent: all are counted */
function countedIssues(known: KnownFailures, scope: IssueScope, only?: number): Map<number, Counts> {
  const counted = new Map<number, Counts>();
  for (let index = 0; index < known.reports; index++) {
    const visit = known.visit(index);
    if (!isInScope(visit, scope)) continue;
    known.eachFailure(index, (number, count) => {
      if (only !== undefined && number !== only) return;
      let counts = counted.get(number);
      if (counts === undefined) counted.set(number, (counts = new Counts()));
      add(counts, visit, count, scope);
    });
  }
  return counted;
}

function add(counts: Counts, visit: Visit, count: number, { from, to }: IssueScope): void {
  const { time, node, environment } = visit;
  counts.first = Math.min(counts.first, time);
  counts.last = Math.max(counts.last, time);
  if (time < from || time >= to) return;
  counts.nodes.add(node);
  if (environment !== null) counts.environments.add(environment);
  counts.events += count;
  const part = Math.min(SPARKS - 1, Math.floor(((time - from) / (to - from)) * SPARKS));
  counts.spark[part] = (counts.spark[part] ?? 0) + count;
  if (counts.latest === undefined || time >= counts.latest.time) counts.latest = visit;
}

const orders: Readonly<Record<IssueOrder, (counts: Counts) => number>> = {
  nodes: ({ nodes }) => nodes.size,
  last: ({ last }) => last,
  first: ({ first }) => first,
  events: ({ events }) => events,
};

function compareTexts(a: KnownIssue, b: KnownIssue): number {
  const [left, right] = [issueText(a), issueText(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function issueText({ message, type, title, id }: KnownIssue): string {
  return [message, type ?? "", title ?? "", id].join("\u0000");
}

function isIncluded(issue: KnownIssue, { kind, type, class: containing }: IssueFilter): boolean {
  return (
    (kind === undefined || issue.kind === kind) &&
    (type === undefined || issue.type === type) &&
    (containing === undefined || issue.class === containing)
  );
}

function issueOf(
  known: KnownFailures,
  { from }: IssueScope,
  { id, kind, type, title, message, place, class: containing }: KnownIssue,
  { nodes, events, environments, first, last, latest, spark }: Counts,
  isComplete: boolean,
): Issue {
  return {
    id,
    kind,
    type,
    title,
    message,
    place,
    class: containing,
    nodes: nodes.size,
    events,
    environments: [...environments].sort(),
    first: new Date(first).toISOString(),
    last: new Date(last).toISOString(),
    isNew: isComplete && first >= from,
    sample: {
      certname: latest === undefined ? "" : known.certname(latest.node),
      report: latest === undefined ? "" : known.hash(latest.index),
    },
    spark,
  };
}
