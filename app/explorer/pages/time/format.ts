import { signal } from "@preact/signals";

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
