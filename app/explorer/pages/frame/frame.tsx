import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { go, href } from "../address/address.ts";
import { paths } from "../address/pages.ts";
import { about, refresh } from "../data/about.ts";
import { asOf, chosenTime } from "../data/as-of.ts";
import { Announcements } from "./announcements.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { FillingNote } from "./filling-note.tsx";
import { FirstLoad } from "./first-load.tsx";
import { type DialogName, FrameDialog } from "./frame-dialog.tsx";
import { Header } from "./header.tsx";
import { AsOfBand } from "../as-of/band.tsx";
import { useKeys } from "./keys.ts";
import { Menu } from "./menu.tsx";
import { menu } from "./menu.ts";

/** What surrounds every page: header, menu, keys, and the dialogs that they open. */
export function Frame({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const { path } = useLocation();
  const [opened, setOpened] = useState<DialogName | undefined>(undefined);
  const toggle = (which: DialogName): void => setOpened((before) => (before === which ? undefined : which));
  const close = (): void => setOpened(undefined);
  const wall = paths.wall === path;
  useKeys({
    "Ctrl+K": () => toggle("palette"),
    ".": () => toggle("queries"),
    "?": () => toggle("keys"),
    r: refresh,
    "/": () => focusFirst("[data-filter]"),
    e: () => focusFirst("[data-environment]"),
    t: () => focusFirst("[data-time-range]"),
    a: () => document.querySelector<HTMLElement>("[data-as-of]")?.click(),
    x: () => document.querySelector<HTMLElement>("main [data-export]")?.click(),
    "g w": () => go(href("wall")),
    ...Object.fromEntries(menu.map(({ key, page }) => [`g ${key}`, () => go(href(page))])),
  });
  const ready = about.value !== undefined;
  const band = chosenTime.value === undefined || !ready ? null : <AsOfBand onChoose={() => toggle("time")} />;
  return (
    <div class={wall ? "frame frame-wall" : "frame"}>
      <a class="skip-link" href="#content">
        Skip to the content
      </a>
      {wall ? null : (
        <Header
          onSearch={() => setOpened("palette")}
          onQueries={() => toggle("queries")}
          onKeys={() => toggle("keys")}
          onTime={() => toggle("time")}
        >
          {band}
        </Header>
      )}
      {wall ? null : <Menu />}
      {wall ? band : null}
      <main id="content" tabIndex={-1}>
        <ConnectionBanner />
        {/* Nothing of a page about one time remains on that about another. */}
        {ready ? <Fragment key={asOf.value ?? ""}>{children}</Fragment> : <FirstLoad />}
      </main>
      {opened === undefined ? null : <FrameDialog name={opened} onClose={close} />}
      <FillingNote />
      <Announcements />
    </div>
  );
}

function focusFirst(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}
