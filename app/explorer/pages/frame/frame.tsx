import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { go, href } from "../address/address.ts";
import { paths } from "../address/pages.ts";
import { about, aboutError, opening, refresh } from "../data/about.ts";
import { asOf, chosenTime } from "../data/as-of.ts";
import { announce, Announcements, useHeightProperty } from "./page.tsx";
import { Header } from "./header.tsx";
import { useKeys } from "./keys.ts";
import { Menu } from "./menu.tsx";
import { menu } from "./popup-menu.tsx";
import { online } from "../data/fetch-json.ts";
import { chooseTime, TimeChoice } from "../as-of/choice.tsx";
import { CopyButton, Dialog, type DialogProps } from "./dialog.tsx";
import { KeyHelp } from "./key-help.tsx";
import { Palette } from "./palette.tsx";
import { asCensus, asCurl, asPuppet } from "../pql/copies.ts";
import { type PanelQuery, shownQueries } from "../pql/shown-queries.ts";
import { workbenchHref } from "../pql/text.ts";
import { formatAge, formatTime, zone } from "../time/format.ts";

/** For how long the note says that everything is there, ms. */
const DONE_MS = 4000;

/** Says that an archive is still being read, and how far, while pages show what is there; and that all of it is. */
function FillingNote(): JSX.Element | null {
  const archive = about.value === undefined ? undefined : opening.value;
  const was = useRef(false);
  const [isDone, setIsDone] = useState(false);
  const is = archive !== undefined;
  useEffect(() => {
    const hasEnded = was.current && !is;
    was.current = is;
    setIsDone(hasEnded);
    if (!hasEnded) return undefined;
    const timer = setTimeout(() => setIsDone(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [is]);
  if (archive === undefined) {
    return isDone ? (
      <p class="filling-note" role="status">
        All of <bdi>{about.value?.source.name}</bdi> has been read.
      </p>
    ) : null;
  }
  const { done, total, text = "" } = archive.progress ?? {};
  const share = total === undefined ? undefined : (done ?? 0) / total;
  return (
    <div class="filling-note">
      <p>
        {text === "" ? "Reading the archive" : text}
        {share === undefined ? null : `, ${Math.floor(100 * share)} %`}
      </p>
      <progress aria-label="Progress" max={1} {...(share === undefined ? {} : { value: share })} />
      <p class="muted" role="status">
        Pages show what has been read so far.
      </p>
    </div>
  );
}

/** The dialogs that the frame opens on every page. */
type DialogName = "palette" | "queries" | "keys" | "time";

const looks: Readonly<Record<DialogName, Pick<DialogProps, "title" | "place">>> = {
  palette: { title: "Search" },
  queries: { title: "Queries of this page", place: "side" },
  keys: { title: "Keys and states" },
  time: { title: "State as of a past time" },
};

const contents = {
  palette: Palette,
  queries: QueryDrawer,
  keys: KeyHelp,
  time: TimeChoice,
} as const;

/** A dialog that is opened from every page. */
function FrameDialog({ name, onClose }: { readonly name: DialogName; readonly onClose: () => void }): JSX.Element {
  const Content = contents[name];
  return (
    <Dialog key={name} {...looks[name]} onClose={onClose}>
      <Content onClose={onClose} />
    </Dialog>
  );
}

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
    t: () => focusFirst("[data-time-range] input"),
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

/** Says that the server is gone, and that it is back. What was shown before stays. */
function ConnectionBanner(): JSX.Element {
  const is = online.value;
  const was = useRef(true);
  const [isBack, setIsBack] = useState(false);
  useEffect(() => {
    const returned = is && !was.current;
    was.current = is;
    setIsBack(returned);
    if (!returned) return undefined;
    const timer = setTimeout(() => setIsBack(false), 4000);
    return () => clearTimeout(timer);
  }, [is]);
  return (
    <div role="status">
      {is ? null : (
        <p class="banner">No connection to the server. The page shows what it had; it tries again by itself.</p>
      )}
      {isBack ? <p class="banner banner-good">The server is back.</p> : null}
    </div>
  );
}

/** Shown until data are there: the progress of an archive that is being opened, or why nothing can be shown. */
function FirstLoad(): JSX.Element {
  const archive = opening.value;
  const progress = archive?.progress;
  const error = aboutError.value;
  if (archive === undefined && error !== undefined) {
    return (
      <div class="problem" role="alert">
        <p>{error.status === 403 ? "The access rules deny this client the data." : "The server did not answer."}</p>
        <pre>{error.message}</pre>
        <p>The page tries again by itself.</p>
      </div>
    );
  }
  if (archive === undefined) return <div class="loading skeleton" />;
  const share = progress?.total === undefined ? undefined : (progress.done ?? 0) / progress.total;
  return (
    <div class="first-load" role="status">
      <h1>
        Opening <bdi>{archive.source.name}</bdi>
      </h1>
      <progress aria-label="Progress" max={1} {...(share === undefined ? {} : { value: share })} />
      <p class="muted">{progress?.text ?? "Reading the archive"}</p>
    </div>
  );
}

/** The queries that the page is made of. Each can be copied or opened in the workbench. */
function QueryDrawer({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const queries = [...shownQueries.value.values()];
  return (
    <>
      {queries.length === 0 ? <p>This page has no queries.</p> : null}
      {queries.map(({ name, pql, adds, rows, ms, age, path, parameters = {} }) => (
        <section key={`${name} ${pql}`} class="shown-query">
          <h3>{name}</h3>
          <pre class="shown-query-text">{pql}</pre>
          <p class="muted">
            {rows === undefined ? "" : `${rows.toLocaleString()} rows · `}
            {ms === undefined ? "" : `${Math.round(ms)} ms`}
            {age === undefined ? "" : ` · made ${age} s before`}
            {path.startsWith("/explorer/") ? ` · sent to ${path}${adds === undefined ? "" : `, ${adds}`}` : ""}
          </p>
          <p class="shown-query-actions">
            <a href={workbenchHref(pql, timeOf(parameters))} onClick={onClose}>
              Open in the workbench
            </a>
            <CopyButton class="plain" text={pql}>
              Copy PQL
            </CopyButton>
            <CopyButton class="plain" text={asCurl(pql, timeOf(parameters).asOf)}>
              Copy as curl
            </CopyButton>
            <CopyButton class="plain" text={asCensus(pql, timeOf(parameters).asOf)}>
              Copy as census query
            </CopyButton>
            <CopyButton class="plain" text={asPuppet(pql)}>
              Copy as puppetdb_query
            </CopyButton>
          </p>
        </section>
      ))}
    </>
  );
}

/** The time of a query that has its own. */
function timeOf({ as_of: asOf }: NonNullable<PanelQuery["parameters"]>): { asOf?: string } {
  return typeof asOf === "string" ? { asOf } : {};
}

/** Says which time the pages show, as long as it is not the present. */
function AsOfBand({ onChoose }: { readonly onChoose: () => void }): JSX.Element {
  const { path } = useLocation();
  const element = useRef<HTMLDivElement>(null);
  useHeightProperty(element, "--band");
  const time = asOf.value;
  const chosen = chosenTime.value;
  const canChoose = about.value?.history != null;
  const utc = zone.value === "utc" ? " UTC" : "";
  const text = time === undefined ? "The present state" : `As of ${formatTime(time)}${utc}`;
  useEffect(() => announce(text), [text]);
  return (
    <div ref={element} class="as-of-band" role="region" aria-label="Time of what is shown">
      <strong>{text}</strong>
      <span>{note(time, chosen, path)}</span>
      <span class="as-of-actions">
        {!canChoose ? null : (
          <button type="button" onClick={onChoose}>
            Change
          </button>
        )}
        <button type="button" onClick={() => chooseTime(undefined)}>
          {time === undefined ? "Close" : "Back to now"}
        </button>
      </span>
    </div>
  );
}

function note(time: string | undefined, chosen: string | undefined, path: string): string {
  if (time === undefined) {
    return about.value?.history == null
      ? "No changes are recorded here: neither in archives without history nor with history-ttl = 0s."
      : `${formatTime(chosen)} is in the future.`;
  }
  if (path === paths.status)
    return "Only the counts of nodes and reports are of that time; all else here is the present.";
  const age = formatAge(time, new Date(about.value?.now ?? Date.now()));
  return chosen === time ? age : `${age}, the earliest that is recorded; ${formatTime(chosen)} is before it.`;
}
