import { days, type Timestamp } from "../time.ts";

/** How long things are kept. Durations are microseconds. */
export interface Retention {
  /** Nodes that are inactive for longer wait to be purged and are not `inactive` any more. */
  readonly nodePurgeTtl: Timestamp;
  /** Events older than this are not stored; null keeps every event. */
  readonly resourceEventsTtl: Timestamp | null;
}

/** What a server does that nothing was configured for (`reference/lifecycle.md §5`). */
export const defaultRetention: Retention = { nodePurgeTtl: days(14), resourceEventsTtl: days(14) };

/** Keeps everything: for archives, which show what they hold however old they are. */
export const keepEverything: Retention = { nodePurgeTtl: days(365_000), resourceEventsTtl: null };
