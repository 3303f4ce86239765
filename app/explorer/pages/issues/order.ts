import type { Issue } from "../data/use-issues.ts";

/** Ways to order issues. */
export const issueOrders = ["nodes", "last", "first", "events"] as const;

export type IssueOrder = (typeof issueOrders)[number];

/** Names of the orders, for the menu. */
export const orderLabels: Readonly<Record<IssueOrder, string>> = {
  nodes: "most nodes first",
  last: "last seen first",
  first: "newest first",
  events: "most often first",
};

/** Issues in an order; those that are the same in it stay as they are. */
export function sortedIssues(issues: readonly Issue[], order: IssueOrder): readonly Issue[] {
  return issues.toSorted((one, other) =>
    order === "nodes" || order === "events"
      ? other[order] - one[order]
      : Date.parse(other[order]) - Date.parse(one[order]),
  );
}

/** What issues are limited to; an empty text does not limit. */
export interface IssueFilter {
  readonly kind: string;
  readonly type: string;
  readonly class: string;
  readonly text: string;
}

/** The issues that a filter lets through. */
export function filteredIssues(issues: readonly Issue[], filter: IssueFilter): readonly Issue[] {
  const needle = filter.text.toLowerCase();
  return issues.filter(
    (issue) =>
      (filter.kind === "" || issue.kind === filter.kind) &&
      (filter.type === "" || issue.type === filter.type) &&
      (filter.class === "" || issue.class === filter.class) &&
      (needle === "" || [issue.message, issue.title ?? ""].some((text) => text.toLowerCase().includes(needle))),
  );
}
