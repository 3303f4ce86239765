import type { ComponentType, JSX } from "preact";
import { about } from "../data/about.ts";
import { later } from "../frame/later.tsx";
import type { SiteLinksProps } from "./site-links.tsx";

/** Both are small, and nothing of them is loaded where the site has no file. */
export const SiteMenu = whereShared(later(() => import("./site-menu.tsx")));
export const SiteLinks = whereShared<SiteLinksProps>(later(() => import("./site-links.tsx")));

function whereShared<Props extends object>(Part: ComponentType<Props>): (props: Props) => JSX.Element | null {
  return (props) => (about.value?.settings.site === true ? <Part {...props} /> : null);
}
