import type { LinkSubject } from "#storage/saved-queries/types.ts";
import { about } from "../data/about.ts";
import { useData } from "../data/use-data.ts";
import type { QueryLanguage } from "../editor/query-language.ts";

/** What `/explorer/api/v1/site` answers: what the site shares with all who use its explorer. */
export interface Site {
  readonly title: string | null;
  readonly queries: readonly { readonly name: string; readonly language: QueryLanguage; readonly text: string }[];
  readonly views: readonly SiteView[];
  readonly links: readonly { readonly label: string; readonly on: LinkSubject; readonly url: string }[];
  /** Why the file cannot be used, with the place in it. */
  readonly problem: string | null;
}

/** A page with its parameters. */
export interface SiteView {
  readonly name: string;
  readonly address: string;
}

/** What the site shares; undefined until it is known, and where nothing is shared. */
export function useSite(): Site | undefined {
  const isShared = about.value?.settings.site === true;
  return useData<Site>(isShared ? { name: "Shared by the site", path: "/explorer/api/v1/site" } : undefined).value;
}
