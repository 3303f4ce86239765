import { setTimeout as delay } from "node:timers/promises";
import { countOf } from "./counts.ts";
import { fetchText } from "./http.ts";
import type { Work } from "./peer/work.ts";

/**
 * The pause before a server is queried again whether it is done: a fiftieth of the time that it has taken so far, at least
 * this many ms. A shorter pause would slow the server down, a longer one would blur the figure.
 */
const SHORTEST_INTERVAL = 10;
const PART_OF_TIME = 50;

/** How long a server may take after the last command was accepted, in ms. */
const STORED_WITHIN = 30 * 60_000;

/**
 * Waits until a server has worked its queue off and returns everything that was sent.
 * @throws Error when it has not after half an hour
 */
export async function awaitStored(url: string, { entity, count, since }: Work["stored"]): Promise<void> {
  const started = Date.now();
  for (let now = started; now < started + STORED_WITHIN; now = Date.now()) {
    const waiting = await queueDepth(url);
    if ((waiting ?? 0) === 0 && (await countOf(url, entity, since)) === count) return;
    await delay(Math.max(SHORTEST_INTERVAL, (now - started) / PART_OF_TIME));
  }
  throw new Error(`${url} has ${await countOf(url, entity, since)} ${entity} of ${count} after half an hour`);
}

/** Waits until a server has worked its queue off. */
export async function awaitIdle(url: string): Promise<void> {
  while (((await queueDepth(url)) ?? 0) > 0) await delay(SHORTEST_INTERVAL);
}

/** How many commands wait to be processed; undefined if the server does not report it. */
export async function queueDepth(url: string): Promise<number | undefined> {
  // By the client that is loaded already: in the first hundredths of a second of a measurement another one would show.
  const text = await fetchText(`${url}/status/v1/services/puppetdb-status?level=info`).catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { status: { queue_depth: number } }).status.queue_depth;
}
