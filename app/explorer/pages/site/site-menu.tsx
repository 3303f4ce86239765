import type { JSX } from "preact";
import { useSite } from "./use-site.ts";

/** The views that the site shares, below the pages. */
export function SiteMenu(): JSX.Element | null {
  const site = useSite();
  if (site === undefined || (site.views.length === 0 && site.problem === null)) return null;
  const title = site.title ?? "Views of the site";
  return (
    <section class="site-menu" aria-label={title}>
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {site.problem === null ? null : (
        <p role="alert" class="wrap">
          The file of the site cannot be used: {site.problem}
        </p>
      )}
      <ul>
        {site.views.map(({ name, address }) => (
          <li key={name}>
            <a href={address}>
              <bdi class="wrap">{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
