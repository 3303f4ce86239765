/** By its own interval a node is silent when this many reports are missing, */
const MISSED_REPORTS = 3;

/** but not sooner than after this time (seconds): while a node is installed, it runs more often. */
const SOONEST_SILENT = 7200;

/** A year (seconds): a longer interval is the mistake of a clock. */
const MOST = 31_536_000;

/**
 * The usual time between a node's reports (seconds) after one more. A gap counts for at most twice what was usual, and at least
 * for 0.8 of it, so that an outage or some runs by hand change it for a few reports only.
 * @param usual null: not known yet
 */
export function usualInterval(usual: number | null, gap: number): number {
  const counted = usual === null ? gap : Math.min(Math.max(gap, 0.8 * usual), 2 * usual);
  return Math.max(1, Math.min(Math.round(counted), MOST));
}

/** SQL of the time from when a node is silent by its own interval. @param of SQL of the end of its latest report and of its interval */
export function reportDueSql(...[latest = "", interval = ""]: readonly string[]): string {
  // Later times are those of wrong clocks, and could not be added to.
  return `(least(${latest}, TIMESTAMP '9999-12-31') + to_seconds(greatest(${MISSED_REPORTS} * coalesce(${interval}, 0), ${SOONEST_SILENT})))`;
}
