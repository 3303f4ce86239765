/** When a run began and ended, ISO texts. */
export interface RunTimes {
  readonly start_time: string | null;
  readonly end_time: string | null;
}

/** How long a run took, seconds; undefined when a time is missing, or the end is before the start. */
export function durationOf({ start_time: start, end_time: end }: RunTimes): number | undefined {
  if (start === null || end === null) return undefined;
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
