import { batch, effect } from "@preact/signals";
import type { ChangeEvent } from "../../change-event.ts";
import { about, checkNow, hasNewData, latest, opening } from "./about.ts";
import { chosenTime, following } from "./as-of.ts";
import { takeSpent } from "./load.ts";
import { arrive } from "./refreshes.ts";

/** What rows move in, by selector. */
const ROWS = ":is([role=row], tr, li)";

/**
 * Whether somebody reads or uses what would move: a row is under the mouse or has the focus, a table is scrolled, a text is
 * selected, a menu or a dialog is open.
 */
function isReading(): boolean {
  const main = document.querySelector("main");
  if (main === null || document.querySelector("dialog[open], [role=menu], [role=listbox]:not([hidden])") !== null)
    return true;
  // On a touch screen the place of the last touch counts as hovered.
  if (matchMedia("(hover: hover)").matches && main.querySelector(`${ROWS}:hover`) !== null) return true;
  if (document.activeElement?.closest(`main :is([role=grid], ${ROWS})`)) return true;
  if ([...main.querySelectorAll(".table-body")].some((rows) => rows.getBoundingClientRect().top < 0)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode);
}

const PATH = "/explorer/api/v1/changes";
/** Between two refreshes, ms: at least, at most, and in times of what the last one cost the server. */
const LEAST_GAP = 2000;
const MOST_GAP = 60_000;
const GAP_FACTOR = 10;
/** The same while an archive is being read: that takes seconds. */
const FILLING_FACTOR = 2;
/** While somebody reads, the page looks after this time whether they still do, ms. */
const LOOK_MS = 500;
/** Before it follows again after the connection ended, ms: at first, and at most. */
const RETRY_MS = 2000;
const MOST_RETRY_MS = 60_000;

let source: EventSource | undefined;
let retryMs = RETRY_MS;
let retrying: ReturnType<typeof setTimeout> | undefined;
/** What changed since the page was refreshed; undefined: anything may have. */
let changed: Set<string> | undefined = new Set();
let refreshing: ReturnType<typeof setTimeout> | undefined;
let refreshedAt = 0;
let gap = LEAST_GAP;

/**
 * Lets pages follow the store: what changed is fetched again, at a bounded rate, unless somebody is reading. Nothing is done
 * while the page is hidden. Without events, as when there are too many followers, what is polled is followed.
 */
export function follow(): void {
  effect(() => {
    if (isWanted()) connect();
    else disconnect();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) disconnect();
    else connect();
  });
  effect(() => {
    if (latest.value === undefined || !following.value || source?.readyState === EventSource.OPEN) return;
    if (!hasNewData()) return;
    changed = undefined;
    planRefresh();
  });
}

/** Neither an archive that has been read nor a past state changes. */
function isWanted(): boolean {
  return (
    following.value &&
    chosenTime.value === undefined &&
    about.value !== undefined &&
    (about.value.source.kind !== "archive" || opening.value !== undefined)
  );
}

function connect(): void {
  if (source !== undefined || document.hidden || !isWanted()) return;
  clearTimeout(retrying);
  source = new EventSource(PATH);
  source.addEventListener("open", () => (retryMs = RETRY_MS));
  source.addEventListener("changes", ({ data }: MessageEvent<string>) => receive(JSON.parse(data) as ChangeEvent));
  source.addEventListener("error", () => {
    disconnect();
    // Whether the server is gone is found out at once; it is followed again when it is back.
    void checkNow();
    retrying = setTimeout(connect, retryMs);
    retryMs = Math.min(2 * retryMs, MOST_RETRY_MS);
  });
}

function disconnect(): void {
  clearTimeout(retrying);
  clearTimeout(refreshing);
  refreshing = undefined;
  source?.close();
  source = undefined;
}

function receive(event: ChangeEvent): void {
  if (event.changed !== undefined) for (const name of event.changed) changed?.add(name);
  else if (event.revision === about.peek()?.revision) return;
  else changed = undefined;
  planRefresh();
}

function planRefresh(): void {
  refreshing ??= setTimeout(() => void refreshNow(), Math.max(0, refreshedAt + gap - performance.now()));
}

async function refreshNow(): Promise<void> {
  // Announced by the button in the header while somebody reads.
  await checkNow();
  refreshing = undefined;
  if (document.hidden || !following.peek() || !hasNewData()) return;
  if (isReading()) {
    refreshing = setTimeout(whenRead, LOOK_MS);
    return;
  }
  // What the refresh before cost decides when the next one may be.
  const factor = opening.peek() === undefined ? GAP_FACTOR : FILLING_FACTOR;
  gap = Math.min(MOST_GAP, Math.max(LEAST_GAP, factor * takeSpent()));
  refreshedAt = performance.now();
  const found = changed;
  changed = new Set();
  batch(() => {
    about.value = latest.peek();
    arrive(found);
  });
}

function whenRead(): void {
  if (isReading() && hasNewData()) refreshing = setTimeout(whenRead, LOOK_MS);
  else {
    refreshing = undefined;
    planRefresh();
  }
}
