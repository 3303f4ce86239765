import { days, type Timestamp } from "../time.ts";
import type { Operation } from "./operation.ts";

/** Operations that run by themselves from time to time; the events' goes with the reports', `other` never does. */
export type PeriodicOperation = Exclude<Operation, "purge_resource_events" | "other">;

/** How long things are kept. Durations are microseconds. */
export interface Retention {
  /** Active nodes that nothing has been heard of for longer expire; 0 = never by themselves. */
  readonly nodeTtl: Timestamp;
  /**
   * Nodes that are inactive for longer wait to be purged and are not `inactive` any more; 0 = they are never purged by
   * themselves.
   */
  readonly nodePurgeTtl: Timestamp;
  /** Reports of whole UTC days before this are dropped, a node's latest excepted. */
  readonly reportTtl: Timestamp;
  /** Events older than this are neither stored nor kept; null keeps every event as long as its report. */
  readonly resourceEventsTtl: Timestamp | null;
  /** Nodes purged in one periodic run at most; 0 = no limit. */
  readonly nodePurgeBatchLimit: number;
  /** Milliseconds between the runs of each operation; 0 = it does not run by itself. */
  readonly gcIntervals: Readonly<Record<PeriodicOperation, number>>;
}

const HOUR = 3_600_000;

/** What a server does that nothing was configured for (`reference/lifecycle.md §5`). */
export const defaultRetention: Retention = {
  nodeTtl: days(7),
  nodePurgeTtl: days(14),
  reportTtl: days(14),
  resourceEventsTtl: days(14),
  nodePurgeBatchLimit: 25,
  gcIntervals: {
    expire_nodes: HOUR,
    purge_nodes: HOUR,
    purge_reports: HOUR,
    gc_packages: HOUR,
    gc_catalogs: HOUR,
    gc_fact_paths: 24 * HOUR,
  },
};

/** Longer than anything can have been kept. */
const EVER: Timestamp = days(365_000);

const never: Retention["gcIntervals"] = {
  expire_nodes: 0,
  purge_nodes: 0,
  purge_reports: 0,
  gc_packages: 0,
  gc_catalogs: 0,
  gc_fact_paths: 0,
};

/** The same retention for what may not be changed: nothing is done by itself. */
export function withoutMaintenance(retention: Retention): Retention {
  return { ...retention, gcIntervals: never };
}

/** Keeps everything: for archives, which show what they hold however old they are. */
export const keepEverything: Retention = {
  nodeTtl: EVER,
  nodePurgeTtl: EVER,
  reportTtl: EVER,
  resourceEventsTtl: null,
  nodePurgeBatchLimit: 0,
  gcIntervals: never,
};
