/**
 * What became of a command that was taken in. `stale`: newer data is stored already; `duplicate`: this very report is.
 * Both are successes (`reference/commands.md §4`).
 */
export type Outcome = "stored" | "unchanged" | "stale" | "duplicate";
