import type { LinkSubject, linkSubjects } from "#storage/saved-queries/types.ts";
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Site } from "../../api/shapes.ts";
import { about } from "../data/about.ts";
import { linkUrl } from "./link-url.ts";
import { useAnswer } from "../data/use-data.ts";

/** Where the site has its code: the menu, which is on every page, reads it for all places of code. */
export const codeLink = signal<Site["links"][number] | undefined>(undefined);

/** What the site shares; undefined until it is known, and where nothing is shared. */
export function useSite(): Site | undefined {
  const isShared = about.value?.settings.site === true;
  return useAnswer("site", isShared ? { name: "Shared by the site" } : undefined).value;
}

/** A subject with the values that its links may have. */
export type SiteLinksProps = {
  readonly [Subject in LinkSubject]: {
    readonly on: Subject;
    readonly values: Readonly<Record<(typeof linkSubjects)[Subject][number], string | null>>;
  };
}[Exclude<LinkSubject, "code">];

/** The links of the site to what other tools know of a node or a report. */
export function SiteLinks({ on, values }: SiteLinksProps): JSX.Element {
  const links = (useSite()?.links ?? []).filter((link) => link.on === on);
  return (
    <>
      {links.map(({ label, url }) => {
        const target = linkUrl(url, values);
        return target === undefined ? null : (
          <a key={label} href={target} rel="noreferrer external" class="site-link">
            <bdi>{label}</bdi> <span aria-hidden="true">↗</span>
          </a>
        );
      })}
    </>
  );
}
