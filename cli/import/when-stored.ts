import { setTimeout } from "node:timers/promises";
import { CensusError } from "#storage/errors.ts";
import type { Contact } from "../sources/contact.ts";
import { serviceState } from "../status/service-figures.ts";

/** Milliseconds between two requests for the length of the queue. */
const LOOK_MS = 100;
/** Maximum seconds for a response. */
const RESPONSE_SECONDS = 30;

/**
 * Resolves when the queue of a server, Census or PuppetDB, has been empty once, or after a time.
 * @returns commands that are still in the queue
 * @throws CensusError "bad-file" where the server does not say how many there are
 */
export async function whenStored(contact: Contact, timeoutMs: number): Promise<number> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const { state, problem, details } = await serviceState(contact, RESPONSE_SECONDS);
    const queueDepth = details["queue_depth"];
    if (typeof queueDepth !== "number") {
      throw new CensusError("bad-file", `the server does not report its queue: ${problem ?? state}`);
    }
    if (queueDepth === 0 || performance.now() >= end) return queueDepth;
    await setTimeout(LOOK_MS);
  }
}
