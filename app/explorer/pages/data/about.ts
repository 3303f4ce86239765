import { batch, effect, signal } from "@preact/signals";
import type { About, Opening } from "../../api/shapes.ts";
import { asOf, chosenTime, following, knownTimes } from "./as-of.ts";
import { fetchJson, online, pathOf, RequestError } from "./fetch-json.ts";
import { arrive, refreshes } from "./refreshes.ts";

/** Whether there is neither a node nor a report, and none is about to be read. */
export function isNothingStored(): boolean {
  const { nodes = 0, inactive = 0, reports = 0 } = about.value?.counts ?? {};
  return about.value !== undefined && opening.value === undefined && nodes + inactive + reports === 0;
}

/** What is served, as of the data that are shown; undefined until there are data. */
export const about = signal<About | undefined>(undefined);

/** The archive that is being opened, and how far; undefined: all of it is there. */
export const opening = signal<Opening | undefined>(undefined);

/** The newest state of the server; newer than `about` while new data wait to be shown. */
export const latest = signal<About | undefined>(undefined);

/** Why the server cannot be reached at the moment. */
export const aboutError = signal<RequestError | undefined>(undefined);

const POLLING_MS = 10_000;
const LOADING_MS = 300;
/** While an archive is being read of which something is shown. */
const FILLING_MS = 1000;
/** Waiting times after each failed attempt, seconds. */
const retries = [1, 2, 5, 10] as const;

/** Shows the data that are there now. */
export function refresh(): void {
  if (latest.value !== undefined) about.value = latest.value;
  refreshes.value += 1;
  void poll();
}

/** Finds out at once what the server has. */
export async function checkNow(): Promise<void> {
  return poll();
}

let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** The chosen time that `about` is of. */
let shownTime: string | undefined;
/** How many requests were sent, and the latest of them that was answered. */
let sent = 0;
let answered = 0;

async function poll(): Promise<void> {
  clearTimeout(timer);
  let wait: number;
  const number = ++sent;
  try {
    const chosen = chosenTime.peek();
    const { value } = await fetchJson(
      { path: pathOf("about"), parameters: { as_of: chosen } },
      AbortSignal.timeout(POLLING_MS),
    );
    // Another time was chosen meanwhile, and is being fetched; or a later request was answered before this one.
    if (chosenTime.peek() !== chosen || number < answered) return;
    answered = number;
    const found = value as unknown as About | Opening;
    const isFilling = found.state === "loading" && "counts" in found;
    batch(() => {
      const wasFilling = opening.peek() !== undefined && about.peek() !== undefined;
      opening.value = found.state === "loading" ? { ...found, state: found.state } : undefined;
      if ("counts" in found) show(found, chosen);
      if (wasFilling && found.state === "ready" && following.peek()) showAll();
    });
    aboutError.value = undefined;
    failures = 0;
    wait = isFilling ? FILLING_MS : found.state === "loading" ? LOADING_MS : POLLING_MS;
  } catch (error) {
    aboutError.value =
      error instanceof RequestError ? error : new RequestError(0, "The server did not answer within 10 s.");
    if (aboutError.value.status === 0) online.value = false;
    wait = 1000 * (retries[failures] ?? 10);
    failures += 1;
  }
  clearTimeout(timer);
  timer = setTimeout(() => void poll(), document.hidden ? wait * 6 : wait);
}

function show(found: About, chosen: string | undefined): void {
  const isFirst = about.peek() === undefined || shownTime !== chosen;
  latest.value = found;
  knownTimes.value = { earliest: found.history ?? undefined, now: found.now };
  // A past state does not become newer while somebody looks at it.
  if (isFirst || asOf.value !== undefined) about.value = found;
  shownTime = chosen;
}

/** Shows everything once an archive has been read. */
function showAll(): void {
  about.value = latest.peek();
  arrive(undefined);
}

/** Starts fetching `about`: every 10 s while the page is seen, less often while it is not. */
export function startPolling(): void {
  effect(() => {
    // Whenever another time is chosen.
    void chosenTime.value;
    void poll();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void poll();
  });
  // Whoever finds the server gone looks for it again soon.
  let was = true;
  effect(() => {
    const is = online.value;
    if (was && !is) {
      clearTimeout(timer);
      timer = setTimeout(() => void poll(), 1000 * retries[0]);
    }
    if (!was && is) refreshes.value = refreshes.peek() + 1;
    was = is;
  });
}

/** What is new, for the button that shows it: "3 new reports". */
export function newData(): string {
  const count = (latest.value?.counts.reports ?? 0) - (about.value?.counts.reports ?? 0);
  if (count <= 0) return "new data";
  return `${count.toLocaleString()} new ${count === 1 ? "report" : "reports"}`;
}

/** Whether data are stored that the pages do not show yet; never while they show a past state. */
export function hasNewData(): boolean {
  return (
    asOf.value === undefined &&
    latest.value !== undefined &&
    about.value !== undefined &&
    latest.value.revision !== about.value.revision
  );
}
