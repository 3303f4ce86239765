import { about } from "./about.ts";
import { type DataRequest, type DataResponse, fetchJson, urlOf } from "./fetch-json.ts";
import { refreshes } from "./refreshes.ts";

/** Responses are cached so that going back shows a page at once. Bytes of their text; as objects they take several times that. */
const MOST_BYTES = 6_000_000;

const kept = new Map<string, DataResponse>();
let bytes = 0;

/** The cached response to a request. */
export function keptResponse(request: DataRequest): DataResponse | undefined {
  return kept.get(urlOf(request));
}

/** Keeps a response, and forgets the oldest when there are too many. */
export function keepResponse(request: DataRequest, response: DataResponse): void {
  const url = urlOf(request);
  forget(url);
  kept.set(url, response);
  bytes += response.size + url.length;
  for (const oldest of kept.keys()) {
    if (bytes <= MOST_BYTES || oldest === url) break;
    forget(oldest);
  }
}

/** Forgets all responses: the data have changed. */
export function forgetResponses(): void {
  kept.clear();
  bytes = 0;
}

function forget(url: string): void {
  const response = kept.get(url);
  if (response === undefined) return;
  kept.delete(url);
  bytes -= response.size + url.length;
}

/** How many requests the page has under way at most; the others wait. Browsers allow six per server. */
const PLACES = 6;

let free = PLACES;
const waiting: (() => void)[] = [];

/** Runs something when fewer than six requests are under way. @throws what the signal was aborted with, and what `work` throws */
async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free -= 1;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}

let spent = 0;

/** The time that requests have taken since the last call, ms. */
export function takeSpent(): number {
  const before = spent;
  spent = 0;
  return before;
}

let keptRevision: number | undefined;

/** The cached response, unless the data have changed since or the user refreshed. */
export function freshResponse(request: DataRequest): DataResponse | undefined {
  const revision = about.peek()?.revision;
  const mark = revision === undefined ? undefined : revision + refreshes.peek() / 1e6;
  if (mark !== keptRevision) {
    forgetResponses();
    keptRevision = mark;
  }
  return keptResponse(request);
}

/** Fetches when it is this request's turn, and keeps the response. @throws as `fetchJson` does */
export async function load(request: DataRequest, signal: AbortSignal): Promise<DataResponse> {
  const response = await inTurn(signal, () => fetchJson(request, signal));
  keepResponse(request, response);
  spent += response.ms;
  return response;
}
