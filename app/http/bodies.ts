import type { IncomingMessage, ServerResponse } from "node:http";
import { CensusError } from "#storage/errors.ts";
import type { Allowance } from "#storage/memory/allowance.ts";
import { isMemoryTight, memoryToBeFree } from "#storage/memory/guard.ts";
import { send } from "./answer.ts";
import { onGrowth } from "./body-growth.ts";
import type { Handler } from "./entrance.ts";
import { faultAnswer, type FaultListener } from "./fault.ts";

/** Smaller bodies, in bytes, are let in without being counted: there are not more of them than connections. */
const SMALL = 64 * 1024;

/** Counted for a body that does not say how long it is, and again each time that so much of it has come. */
const STEP = 1024 * 1024;

/** How long a body waits for its turn, ms. */
const PATIENCE = 30_000;

/**
 * Has bodies of requests wait until there is memory for them. What does not find any in time is answered 503.
 * @param bodies bytes for all of them together, from when they begin to come until they are answered
 * @param isKept whether the body of a request is kept in memory as a whole
 */
export function admittingBodies(
  handler: Handler,
  bodies: Allowance,
  isKept: (request: IncomingMessage) => boolean,
  onFault?: FaultListener,
): Handler {
  return (request, response) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (encoding === undefined && (length === undefined || Number(length) < SMALL)) return handler(request, response);
    const size = length === undefined || !isKept(request) ? STEP : Number(length);
    return admitted(bodies, size, request, response).then(
      () => handler(request, response),
      (error: unknown) => {
        // What comes of the body is let go, so that the client gets to read the answer.
        request.resume();
        if (!response.destroyed) send(response, faultAnswer(error, request, onFault));
      },
    );
  };
}

async function admitted(
  bodies: Allowance,
  announced: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let size = announced;
  const left = new AbortController();
  response.once("close", () => left.abort(new CensusError("timeout", "the client went away")));
  const until = performance.now() + PATIENCE;
  await bodies.take(size, PATIENCE, left.signal);
  response.once("close", () => bodies.giveBack(size));
  while (isMemoryTight(size)) {
    if (performance.now() > until) throw new CensusError("unavailable", "There is no memory for it at present");
    await memoryToBeFree(size);
    left.signal.throwIfAborted();
  }
  onGrowth(request, (arrived) => {
    while (arrived > size) {
      if (size + STEP > bodies.total || !bodies.tryTake(STEP)) return false;
      size += STEP;
    }
    return true;
  });
}
