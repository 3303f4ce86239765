import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { exec } from "preact-iso/router";
import { href } from "../address/address.ts";
import { type PageKey, paths } from "../address/pages.ts";
import { Icon } from "../icons/icon.tsx";
import { menu } from "./popup-menu.tsx";
import { canSignIn, readSession, type SignedIn, signOut } from "../session/session.ts";
import { codeLink, useSite } from "../site/site-links.tsx";

/** The list of pages, and the views of the site; on narrow screens a row that scrolls. */
export function Menu(): JSX.Element {
  const { path } = useLocation();
  const present = (Object.keys(paths) as PageKey[]).find((key) => matches(path, paths[key]));
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => showCurrent(nav.current), [present]);
  return (
    <nav ref={nav} class="menu" aria-label="Pages">
      <ul>
        {menu.map(({ page, label, icon, covers }) => (
          <li key={page}>
            <a href={href(page)} aria-current={present !== undefined && covers.includes(present) ? "page" : undefined}>
              <Icon name={icon} />
              {label}
            </a>
          </li>
        ))}
      </ul>
      <SiteMenu />
      <Person />
    </nav>
  );
}

/** Scrolls a row of links sideways until the one of the present page is in its middle. */
function showCurrent(nav: HTMLElement | null): void {
  const link = nav?.querySelector("[aria-current]")?.getBoundingClientRect();
  if (nav === null || link === undefined) return;
  nav.scrollLeft += link.left - nav.getBoundingClientRect().left - (nav.clientWidth - link.width) / 2;
}

function matches(path: string, pattern: string): boolean {
  try {
    return exec(path, pattern) !== undefined;
  } catch {
    return false;
  }
}

/** Who is signed in, and a button to sign out; nothing where people do not sign in. */
function Person(): JSX.Element | null {
  const [person, setPerson] = useState<SignedIn>();
  useEffect(() => {
    if (canSignIn()) void readSession().then(setPerson);
  }, []);
  if (person === undefined) return null;
  const { name, role, until } = person;
  return (
    <div class="person">
      <span>
        {name}
        {role === null ? null : <small> {role}</small>}
      </span>
      {until === null ? null : (
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      )}
    </div>
  );
}

/** The views that the site shares, below the pages. */
function SiteMenu(): JSX.Element | null {
  const site = useSite();
  useEffect(() => {
    codeLink.value = site?.links.find(({ on }) => on === "code");
  }, [site]);
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
