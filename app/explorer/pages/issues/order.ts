import type { Issue, IssueOrder } from "#storage/issues/issue.ts";

/** Names of the orders, for the menu. */
export const orderLabels: Readonly<Record<IssueOrder, string>> = {
  still: "on most nodes now first",
  nodes: "most nodes first",
  last: "last seen first",
  first: "newest first",
  events: "most often first",
};

/** Issues in an order; those that are the same in it stay as they are. */
export function sortedIssues(issues: readonly Issue[], order: IssueOrder): readonly Issue[] {
  return issues.toSorted((one, other) =>
    order === "last" || order === "first"
      ? Date.parse(other[order]) - Date.parse(one[order])
      : other[order] - one[order],
  );
}

/** The issues with a text in their message or title, in whatever case. */
export function searchedIssues(issues: readonly Issue[], text: string): readonly Issue[] {
  const needle = text.toLowerCase();
  if (needle === "") return issues;
  return issues.filter(({ message, title }) =>
    [message, title ?? ""].some((each) => each.toLowerCase().includes(needle)),
  );
}
