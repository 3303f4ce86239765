import { computed, signal } from "@preact/signals";
import { about } from "../data/about.ts";
import { asOf } from "../data/as-of.ts";
import { rangeSpanMs, type Seen, spanWords } from "#storage/time/typed.ts";
import { Zone } from "#storage/time/zone.ts";

export { formatAge, formatDuration, formatSpan } from "#storage/display/spans.ts";

/** How times are shown: in the browser's time zone or in UTC. */
export const zone = signal<"local" | "utc">("local");

const options = {
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { year: "numeric", month: "short", day: "2-digit" },
  dayOfYear: { month: "short", day: "2-digit" },
  minute: { year: "numeric", month: "short", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  second: {
    year: "numeric",
    month: "short",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type TimeFormat = keyof typeof options;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A time in the chosen zone; an invalid one is shown as "–". */
export function formatTime(time: Date | string | null | undefined, format: TimeFormat = "minute"): string {
  const date = typeof time === "string" ? new Date(time) : time;
  if (date === null || date === undefined || Number.isNaN(date.getTime())) return "–";
  const key = `${zone.value} ${format}`;
  let formatter = formats.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-GB", {
      ...options[format],
      ...(zone.value === "utc" ? { timeZone: "UTC" } : {}),
    });
    formats.set(key, formatter);
  }
  return formatter.format(date);
}

/** The name of the zone, for the server: `UTC`, `Europe/Berlin`. */
export function zoneName(): string {
  return zone.value === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What times that somebody types are relative to. */
export function seen(from = now.value): Seen {
  return { now: from.getTime(), zone: Zone.named(zoneName()) };
}

/**
 * The present time of the data: the past one whose state is shown, that of an opened archive, or the server's time when the data shown were fetched. It does not
 * tick, so that queries stay the same until the page is refreshed.
 */
export const now = computed<Date>(() => new Date(asOf.value ?? about.value?.now ?? Date.now()));

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

/** A span of time that pages are limited to. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
  /** `24h`, or undefined for two given times. */
  readonly last: string | undefined;
  /** As text: "last 24 hours". */
  readonly label: string;
}

/** Spans that the header offers. */
export const offeredSpans = ["1h", "6h", "24h", "3d", "7d", "14d", "30d"] as const;

export const defaultSpan = "24h";

/** "last 24 hours" */
export function spanLabel(last: string): string {
  return `last ${spanWords(last)}`;
}

/** The range that parameters describe; invalid ones count as absent. */
export function timeRange({ last, from, to }: { last: string; from: string; to: string }, end: Date): TimeRange {
  const start = new Date(from);
  const given = to === "" ? end : new Date(to);
  if (!Number.isNaN(start.getTime()) && !Number.isNaN(given.getTime()) && start < given) {
    return { from: start, to: given, last: undefined, label: "chosen range" };
  }
  const span = rangeSpanMs(last) === undefined ? defaultSpan : last;
  return {
    from: new Date(end.getTime() - (rangeSpanMs(span) ?? 0)),
    to: end,
    last: span,
    label: spanLabel(span),
  };
}
