import { setTimeout } from "node:timers/promises";
import { CensusError } from "#storage/errors.ts";
import type { Contact } from "../sources/contact.ts";
import { serviceState } from "../status/service-figures.ts";

/**
 * Resolves when the queue of a server, Census or PuppetDB, has been empty once, or after a time.
 * @returns commands that are still in the queue
 * @throws CensusError "bad-file" where the server does not say how many there are
 */
export async function whenStored(contact: Contact, timeoutMs: number): Promise<number> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const { state, problem, details } = await serviceState(contact, 30);
    const queueDepth = details["queue_depth"];
    if (typeof queueDepth !== "number") {
      throw new CensusError("bad-file", `the server does not report its queue: ${problem ?? state}`);
    }
    if (queueDepth === 0 || performance.now() >= end) return queueDepth;
    await setTimeout(100);
  }
}
