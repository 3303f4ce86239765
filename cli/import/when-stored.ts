import { setTimeout } from "node:timers/promises";
import { CensusError } from "#storage/errors.ts";
import type { Contact } from "../sources/contact.ts";
import { fetchPath } from "../sources/http.ts";

const STATUS = "/status/v1/services/puppetdb-status";

/** Milliseconds between two looks at the queue. */
const LOOK_MS = 100;
/** Maximum seconds for a response. */
const RESPONSE_SECONDS = 30;

/**
 * Resolves when the queue of a server, Census or PuppetDB, has been empty once, or after a time.
 * @returns commands that are still in the queue
 * @throws CensusError "bad-file" where the status does not say how many there are
 */
export async function whenStored(contact: Contact, timeoutMs: number): Promise<number> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const depth = await queueDepth(contact);
    if (depth === 0 || performance.now() >= end) return depth;
    await setTimeout(LOOK_MS);
  }
}

async function queueDepth(contact: Contact): Promise<number> {
  const { status, body } = await fetchPath(contact, STATUS, RESPONSE_SECONDS);
  const depth = queueDepthIn(body);
  if (depth === undefined) throw new CensusError("bad-file", `${STATUS} does not report the queue: HTTP ${status}`);
  return depth;
}

function queueDepthIn(body: string): number | undefined {
  try {
    const { status } = JSON.parse(body) as { readonly status?: { readonly queue_depth?: unknown } };
    const depth = status?.queue_depth;
    return typeof depth === "number" ? depth : undefined;
  } catch {
    return undefined;
  }
}
