/**
 * The outcome of an accepted command. `stale`: newer data is stored already; `duplicate`: the same report is stored already;
 * `obsolete`: a newer command waited in the queue. All are successes (`reference/commands.md §2.3, §4`).
 */
export type Outcome = "stored" | "unchanged" | "stale" | "duplicate" | "obsolete";
