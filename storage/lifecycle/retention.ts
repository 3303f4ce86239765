import { days, type Timestamp } from "../time.ts";
import type { Operation } from "./operation.ts";

/** Operations that run periodically; events are purged with reports, and `other` never runs by itself. */
export type PeriodicOperation = Exclude<Operation, "purge_resource_events" | "other">;

/** How long data are kept, as far as maintenance depends on it. Durations are microseconds. */
export interface KeptFor {
  /** Active nodes without newer data expire after this time; 0 = never. */
  readonly nodeTtl: Timestamp;
  /**
   * Nodes that are inactive for longer are purged, and are not `inactive` until then; 0 = they are never purged
   * automatically.
   */
  readonly nodePurgeTtl: Timestamp;
  /** Reports of whole UTC days before this are dropped, except a node's latest. */
  readonly reportTtl: Timestamp;
  /** Older events are neither stored nor kept; null keeps every event as long as its report. */
  readonly resourceEventsTtl: Timestamp | null;
  /** How long changes of nodes are kept; 0 = none are recorded. */
  readonly historyTtl: Timestamp;
}

/** How long data are kept, and how often that is checked. */
export interface Retention extends KeptFor {
  /** Maximum nodes purged in one periodic run; 0 = no limit. */
  readonly nodePurgeBatchLimit: number;
  /** Milliseconds between the runs of each operation; 0 = it does not run periodically. */
  readonly gcIntervals: Readonly<Record<PeriodicOperation, number>>;
}

const HOUR = 3_600_000;

/** The retention of a server without configuration (`reference/lifecycle.md §5`). */
export const defaultRetention: Retention = {
  nodeTtl: days(7),
  nodePurgeTtl: days(14),
  reportTtl: days(14),
  resourceEventsTtl: days(14),
  historyTtl: days(90),
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

/** Longer than any data can be old. */
const EVER: Timestamp = days(365_000);

const never: Retention["gcIntervals"] = {
  expire_nodes: 0,
  purge_nodes: 0,
  purge_reports: 0,
  gc_packages: 0,
  gc_catalogs: 0,
  gc_fact_paths: 0,
};

/** The same retention for data that may not be changed: nothing runs periodically. */
export function withoutMaintenance(retention: Retention): Retention {
  return { ...retention, gcIntervals: never };
}

/** Keeps everything: for archives, whose contents are shown however old they are. */
export const keepEverything: Retention = {
  nodeTtl: EVER,
  nodePurgeTtl: EVER,
  reportTtl: EVER,
  resourceEventsTtl: null,
  historyTtl: 0n,
  nodePurgeBatchLimit: 0,
  gcIntervals: never,
};

/** The same, with the changes between several archives. */
export const recordEverything: Retention = { ...keepEverything, historyTtl: EVER };
