import { href } from "../address/address.ts";

/** Opens the workbench with a query. The query is in the fragment, which reaches neither logs nor proxies. */
export function workbenchHref(query: string, { lang = "pql", view = "table" } = {}): string {
  return `${href("query")}#${new URLSearchParams({ lang, q: query, view }).toString()}`;
}
