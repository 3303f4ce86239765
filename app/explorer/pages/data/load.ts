import { about } from "./about.ts";
import { type DataRequest, type DataResponse, fetchJson } from "./fetch-json.ts";
import { inTurn } from "./places.ts";
import { refreshes } from "./refreshes.ts";
import { forgetResponses, keepResponse, keptResponse } from "./response-cache.ts";

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
