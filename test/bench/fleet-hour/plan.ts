import { COMMANDS_PER_RUN } from "../fleet/large-fleet.ts";
import { RUN_INTERVAL } from "../fleet/node-runs.ts";

/** The fleet, and for how long it is measured. */
export interface Hour {
  readonly nodes: number;
  readonly minutes: number;
}

/** What the processes that send requests have to know. */
export interface Load extends Hour {
  /** of the server, without a slash at the end */
  readonly url: string;
  /** when the first request is due, ms since the epoch */
  readonly begin: number;
}

/** Queries of all dashboards in a second. */
export const QUERIES_PER_SECOND = 5;

/** Dashboards; each has a connection of its own. */
export const DASHBOARDS = 10;

/** From one sample of everything to the next, in ms. */
export const INTERVAL = 10_000;

/** Maintenance runs as often as this in the hour, but not more than once a minute. */
const MAINTENANCE_RUNS = 6;

/** Commands that the fleet sends in a second. */
export function commandsPerSecond({ nodes }: Pick<Hour, "nodes">): number {
  return (nodes * COMMANDS_PER_RUN * 1000) / RUN_INTERVAL;
}

/** ms */
export function durationOf({ minutes }: Pick<Hour, "minutes">): number {
  return minutes * 60_000;
}

/** The number of samples. */
export function intervalsOf(hour: Pick<Hour, "minutes">): number {
  return Math.ceil(durationOf(hour) / INTERVAL);
}

/** Minutes from one run of maintenance to the next. */
export function maintenanceEvery({ minutes }: Pick<Hour, "minutes">): number {
  return Math.max(1, minutes / MAINTENANCE_RUNS);
}

/** An instant as `performance.now()` of this process counts. */
export function ownTime(epoch: number): number {
  return performance.now() + epoch - Date.now();
}
