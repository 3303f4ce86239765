import { formatSpan } from "#storage/display/spans.ts";
import type { Since } from "./fleet.ts";

/** The time since an event, as a cell shows it: `3 h`, `>2 d` where it may be longer. */
export function ageText(time: string | null, now: Date, isOldest = false): string {
  const seconds = time === null ? Number.NaN : (now.getTime() - new Date(time).getTime()) / 1000;
  return Number.isNaN(seconds) ? "–" : `${isOldest ? ">" : ""}${formatSpan(Math.max(0, seconds))}`;
}

/** The same for a failure. */
export function sinceText(since: Since | null, now: Date): string {
  return since === null ? "–" : ageText(since.time, now, since.isOldest);
}

/** `2026-11-20 11:45:11`. */
export function timeText(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)}`;
}
