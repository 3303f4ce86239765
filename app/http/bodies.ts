import type { IncomingMessage, ServerResponse } from "node:http";
import { CensusError } from "#storage/errors.ts";
import type { Allowance } from "#storage/memory/allowance.ts";
import { isMemoryTight, waitForMemory } from "#storage/memory/guard.ts";
import { onGrowth } from "./body-growth.ts";

/** Smaller bodies, in bytes, are not counted: there are at most as many as connections. */
const SMALL = 64 * 1024;

/** Bytes reserved for a body that does not announce its length, and again each time that it grows by as many. */
const STEP = 1024 * 1024;

/** How long a body waits for memory, ms. */
const MAX_WAIT = 30_000;

/**
 * Reserves memory for the body of a request until the request is answered.
 * @param bodies bytes for the bodies of all requests together
 * @param isStreamed the route writes the body to a file as it arrives
 * @returns undefined when the body is small and can be read now; else a promise that rejects with CensusError
 *   "unavailable" when there is no memory in time
 */
export function admitBody(
  bodies: Allowance,
  request: IncomingMessage,
  response: ServerResponse,
  isStreamed: boolean,
): Promise<void> | undefined {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || Number(length) < SMALL)) return undefined;
  const size = length === undefined || isStreamed ? STEP : Number(length);
  return reserve(bodies, size, request, response).catch((error: unknown) => {
    // The client reads the response only after it has sent its body.
    request.resume();
    throw error;
  });
}

async function reserve(
  bodies: Allowance,
  announced: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let size = announced;
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort(new CensusError("timeout", "the client disconnected")));
  const until = performance.now() + MAX_WAIT;
  await bodies.acquire(size, MAX_WAIT, disconnected.signal);
  response.once("close", () => bodies.release(size));
  while (isMemoryTight(size)) {
    if (performance.now() > until)
      throw new CensusError("unavailable", "There is not enough memory for the request body; try again later");
    await waitForMemory(size);
    disconnected.signal.throwIfAborted();
  }
  onGrowth(request, (arrived) => {
    while (arrived > size) {
      if (size + STEP > bodies.total || !bodies.tryAcquire(STEP)) return false;
      size += STEP;
    }
    return true;
  });
}
