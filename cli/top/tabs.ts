import type { Page, Subject } from "./state.ts";

/** The lists of each page, in the order of their keys 1, 2, … */
export const tabs = {
  fleet: ["issues", "nodes", "states"],
  state: ["nodes"],
  issue: ["nodes"],
  node: ["summary", "reports", "events", "facts"],
  report: ["events", "log"],
} as const satisfies Readonly<Record<Subject["kind"], readonly string[]>>;

export type Tab = (typeof tabs)[Subject["kind"]][number];

/** The list of a page that is shown. */
export function tabOf({ subject, tab }: Page): Tab {
  const names: readonly Tab[] = tabs[subject.kind];
  return names[tab] ?? "nodes";
}

/** What has to be read for a page besides the fleet: the key of its detail; undefined: nothing. */
export function detailKey(page: Page): string | undefined {
  const { subject } = page;
  if (subject.kind === "node") return `node ${subject.certname} ${tabOf(page)}`;
  return subject.kind === "report" ? `report ${subject.hash} ${tabOf(page)}` : undefined;
}
