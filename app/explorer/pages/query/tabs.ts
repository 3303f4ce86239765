import { type QueryLanguage, queryLanguages } from "../editor/query-language.ts";

/** How a result is shown. */
export const views = ["table", "json", "chart"] as const;

export type View = (typeof views)[number];

/** What the fragment of an address says: `#lang=pql&q=nodes{}&view=table&sort=-certname`. */
export interface Workbench {
  readonly lang: QueryLanguage;
  /** PQL, AST as JSON, or SQL. */
  readonly text: string;
  readonly view: View;
  /** The column that the result is sorted by, `-` before it for descending; empty: as the server sends it. */
  readonly sort: string;
}

/** Reads a fragment; undefined when it has no query. Unknown languages and views count as absent. */
export function readFragment(hash: string): Workbench | undefined {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const text = parameters.get("q");
  if (text === null) return undefined;
  return {
    lang: queryLanguages.find((lang) => lang === parameters.get("lang")) ?? "pql",
    text,
    view: views.find((view) => view === parameters.get("view")) ?? "table",
    sort: parameters.get("sort") ?? "",
  };
}

/** Writes a fragment, with its sign; empty without a query. */
export function writeFragment({ lang, text, view, sort }: Workbench): string {
  if (text === "") return "";
  const parameters = new URLSearchParams({ lang, q: text, view });
  if (sort !== "") parameters.set("sort", sort);
  return `#${parameters.toString()}`;
}

/** One query of the workbench. Each language keeps its text when another one is chosen. */
export interface Tab {
  readonly id: number;
  readonly lang: QueryLanguage;
  readonly pql: string;
  readonly ast: string;
  readonly sql: string;
  readonly view: View;
  readonly sort: string;
}

/** All queries of the workbench. */
export interface Tabs {
  /** At least one. */
  readonly all: readonly Tab[];
  /** Id of the one that is shown. */
  readonly active: number;
}

/** A tab without query. */
export function emptyTab(id: number): Tab {
  return { id, lang: "pql", pql: "", ast: "", sql: "", view: "table", sort: "" };
}

/** What is written in a tab, in its language. */
export function tabText(tab: Tab): string {
  return tab[tab.lang];
}

/** The tab that is shown. */
export function activeTab({ all, active }: Tabs): Tab {
  return all.find(({ id }) => id === active) ?? all[0] ?? emptyTab(1);
}

/** A tab as an address has it. */
export function workbenchOf(tab: Tab): Workbench {
  return { lang: tab.lang, text: tabText(tab), view: tab.view, sort: tab.sort };
}

/** The active tab with other content. */
export function changed(tabs: Tabs, change: Partial<Omit<Tab, "id">>): Tabs {
  const { id } = activeTab(tabs);
  return { ...tabs, all: tabs.all.map((tab) => (tab.id === id ? { ...tab, ...change } : tab)) };
}

/** The active tab with what an address says. */
export function restored(tabs: Tabs, { lang, text, view, sort }: Workbench): Tabs {
  return changed(tabs, { lang, [lang]: text, view, sort });
}

/** Another tab, which is shown. */
export function opened(tabs: Tabs, content?: Workbench): Tabs {
  const id = 1 + Math.max(0, ...tabs.all.map((tab) => tab.id));
  const added = { all: [...tabs.all, emptyTab(id)], active: id };
  return content === undefined ? added : restored(added, content);
}

/** A query from elsewhere: the tab that has it, else the active one when that is empty, else a new one. */
export function arrived(tabs: Tabs, content: Workbench): Tabs {
  const has = (tab: Tab): boolean => tab.lang === content.lang && tabText(tab) === content.text;
  const known = has(activeTab(tabs)) ? activeTab(tabs) : tabs.all.find(has);
  if (known !== undefined) return restored({ ...tabs, active: known.id }, content);
  const { pql, ast, sql } = activeTab(tabs);
  return [pql, ast, sql].every((text) => text.trim() === "") ? restored(tabs, content) : opened(tabs, content);
}

/** Without a tab; the last one is emptied instead. */
export function closed(tabs: Tabs, id: number): Tabs {
  const at = tabs.all.findIndex((tab) => tab.id === id);
  const all = tabs.all.filter((tab) => tab.id !== id);
  if (all.length === 0) return { all: [emptyTab(id + 1)], active: id + 1 };
  const next = all[Math.min(at, all.length - 1)];
  return { all, active: tabs.active === id ? (next?.id ?? tabs.active) : tabs.active };
}

/** What a tab is called: the first line of its query. */
export function titleOf(tab: Tab): string {
  const text = tabText(tab).trim().replaceAll(/\s+/g, " ");
  return text === "" ? "New query" : text;
}
