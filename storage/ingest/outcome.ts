/**
 * What became of a command that was taken in. `stale`: newer data is stored already; `duplicate`: this very report is;
 * `obsolete`: a newer command waited behind it. All are successes (`reference/commands.md §2.3, §4`).
 */
export type Outcome = "stored" | "unchanged" | "stale" | "duplicate" | "obsolete";
