import { type DataRequest, type DataResponse, urlOf } from "./fetch-json.ts";

/** Responses are kept so that going back shows a page at once. Characters. */
const MOST_CHARACTERS = 16_000_000;

const kept = new Map<string, DataResponse>();
let characters = 0;

/** The response that was kept for a request. */
export function keptResponse(request: DataRequest): DataResponse | undefined {
  return kept.get(urlOf(request));
}

/** Keeps a response, and forgets the oldest when there are too many. */
export function keepResponse(request: DataRequest, response: DataResponse): void {
  const url = urlOf(request);
  forget(url);
  kept.set(url, response);
  characters += response.size + url.length;
  for (const oldest of kept.keys()) {
    if (characters <= MOST_CHARACTERS || oldest === url) break;
    forget(oldest);
  }
}

/** Forgets all responses: the data have changed. */
export function forgetResponses(): void {
  kept.clear();
  characters = 0;
}

function forget(url: string): void {
  const response = kept.get(url);
  if (response === undefined) return;
  kept.delete(url);
  characters -= response.size + url.length;
}
