import { type DataRequest, type DataResponse, urlOf } from "./fetch-json.ts";

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
