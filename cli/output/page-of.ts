import { basename, resolve } from "node:path";
import type { AboutPage } from "#storage/output/html/page.ts";
import type { OpenSource } from "../sources/open-source.ts";
import type { AboutAnswer } from "./answer.ts";

/** What is known of a result by its source: the present time of the data, and what a page in HTML says about it. */
export function aboutResult(source: OpenSource, page: AboutPage): Pick<AboutAnswer, "now" | "page"> {
  return { now: () => source.now(), page: pageOf(source, page) };
}

/** What a page in HTML says about a result. */
export function pageOf({ name }: Pick<OpenSource, "name">, page: AboutPage): AboutPage {
  return { ...page, source: sourceName(name) };
}

/** A source as a page names it: of a file its name only, for a page is sent to others. */
export function sourceName(source: string): string {
  return /^https?:/i.test(source) ? source : basename(resolve(source));
}
