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
