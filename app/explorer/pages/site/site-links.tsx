import type { linkSubjects, LinkSubject } from "#storage/saved-queries/types.ts";
import type { JSX } from "preact";
import { linkUrl } from "./link-url.ts";
import { useSite } from "./use-site.ts";

/** A subject with the values that its links may have. */
export type SiteLinksProps = {
  readonly [Subject in LinkSubject]: {
    readonly on: Subject;
    readonly values: Readonly<Record<(typeof linkSubjects)[Subject][number], string | null>>;
  };
}[LinkSubject];

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
