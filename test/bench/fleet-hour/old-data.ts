import { largeFleet } from "../fleet/large-fleet.ts";
import type { WireCommand } from "../posting.ts";
import { requestOf } from "../requests.ts";

const DAY = 86_400_000;

/** Each run of maintenance deletes the reports of one day; this many days have some that are due. */
const OLD_DAYS = 6;

/** One in this many nodes has a report of each of these days, about as many as the fleet sends from one run to the next. */
const SHARE = 3;

/** Reports are kept for a day, so those of the day before yesterday are the newest that are due. */
export const REPORTS_KEPT = DAY;
const NEWEST_DUE = 2;

/** Nodes that were deactivated, as many as all runs of maintenance together delete: 25 each. */
const RETIRED = 25 * OLD_DAYS;

/** Their last run, and their deactivation, which is older than `node-purge-ttl`. */
const LAST_RUN = 16 * DAY;
const DEACTIVATED = 15 * DAY;

/**
 * Reports that maintenance deletes during the hour, the oldest first.
 * @param now when the store is made, ms since the epoch
 */
export function* oldReports(nodes: number, now: number): Generator<WireCommand> {
  const today = Math.floor(now / DAY) * DAY;
  for (let day = OLD_DAYS - 1; day >= 0; day--) {
    const noon = today - (NEWEST_DUE + day) * DAY + DAY / 2;
    for (let node = day % SHARE; node < nodes; node += SHARE) {
      yield* largeFleet.report(node, -1 - day, noon + Math.floor((node / nodes) * (DAY / 4)));
    }
  }
}

/**
 * Nodes beside the fleet that maintenance deletes during the hour.
 * @param nodes of the fleet
 * @param now when the store is made, ms since the epoch
 */
export function* retiredNodes(nodes: number, now: number): Generator<WireCommand> {
  for (let node = nodes; node < nodes + Math.min(RETIRED, nodes); node++) {
    yield* largeFleet.run(node, 0, now - LAST_RUN);
    const certname = largeFleet.certname(node);
    const producerTimestamp = new Date(now - DEACTIVATED).toISOString();
    const payload = JSON.stringify({ certname, producer_timestamp: producerTimestamp });
    yield requestOf({ command: "deactivate_node", version: "3", certname, producerTimestamp, payload });
  }
}
