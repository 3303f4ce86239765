import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { exec } from "preact-iso/router";
import { href } from "../address/address.ts";
import { type PageKey, paths } from "../address/pages.ts";
import { Icon } from "../icons/icon.tsx";
import { Person } from "../session/person.tsx";
import { SiteMenu } from "../site/site-menu.tsx";
import { menu } from "./menu.ts";

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
