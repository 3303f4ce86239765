import { basename, resolve } from "node:path";
import type { AboutPage } from "#storage/output/html/page.ts";
import type { OpenSource } from "../sources/open-source.ts";

/** What a page in HTML says about a result: of a file its name only, for a page is sent to others. */
export function pageOf({ kind, name }: Pick<OpenSource, "kind" | "name">, page: AboutPage): AboutPage {
  return { ...page, source: kind === "url" ? name : basename(resolve(name)) };
}
