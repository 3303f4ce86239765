import { CensusError } from "#storage/errors.ts";
import type { Store } from "#storage/store.ts";
import { type HttpRequest, workSignal } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";

/** The header with a position in the log that several servers share: of a command, or that an answer must include. */
const POSITION = "x-census-position";

/** Seconds that a request waits for a position. */
const PATIENCE = 10;

/**
 * Waits until the store has what the request must see. Without a shared log it has everything.
 * @throws CensusError "bad-input" for a header that is no position, "unavailable" if the store does not get there in time
 */
export async function waitForPosition(store: Store, request: HttpRequest): Promise<void> {
  const text = request.message.headers[POSITION];
  if (text === undefined || store.followed === undefined) return;
  if (typeof text !== "string" || !/^\d{1,15}$/.test(text)) {
    throw new CensusError("bad-input", "X-Census-Position must be a position that an answer of Census had, e.g. 18230");
  }
  const late = `this server has not stored the log up to ${text} within ${PATIENCE} s`;
  const timed = workSignal(request, PATIENCE * 1000, late);
  try {
    await store.reached(Number(text), timed.signal);
  } catch {
    throw new CensusError("unavailable", `${late}: it is at ${store.followed.position}`);
  } finally {
    timed.end();
  }
}

/**
 * Adds the position that the response includes, where several servers share a log.
 * @param position default: what is stored when this is called
 */
export function withPosition(store: Store, response: HttpResponse, position?: number): HttpResponse {
  const { followed } = store;
  if (followed === undefined) return response;
  return { ...response, headers: { ...response.headers, [POSITION]: String(position ?? followed.position) } };
}
