import { REPORTS_KEPT } from "./old-data.ts";
import { type Hour, maintenanceEvery } from "./plan.ts";
import type { StoredFleet } from "./stored-fleet.ts";

/** How long a node is kept without a run, in ms: the default. */
const NODES_KEPT = 7 * 86_400_000;

/**
 * The settings of the server that is measured: every operation of maintenance is due several times in the hour. What it
 * deletes does not depend on when the store was made.
 * @param now when the server starts, ms since the epoch
 */
export function serverSettings(hour: Hour, { made }: Pick<StoredFleet, "made">, now: number): string[] {
  const kept = (ms: number): string => `${Math.ceil((now - made + ms) / 1000)}s`;
  const interval = String(maintenanceEvery(hour));
  const settings: Readonly<Record<string, string>> = {
    "gc-interval": interval,
    // Follows the other one only from a day on.
    "gc-interval-fact-paths": interval,
    "report-ttl": kept(REPORTS_KEPT),
    "node-ttl": kept(NODES_KEPT),
    // Then the log has the end of each operation.
    "log-level": "debug",
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}
