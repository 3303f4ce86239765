import { type Json, isNumber, numberText } from "#storage/json.ts";
import { formatDuration, formatTime } from "../time/format.ts";

const binary = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;

/** A number of bytes in the unit with which it has one to four digits: `15.5 GiB`, `512 B`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return "–";
  let size = Math.abs(bytes);
  let unit = 0;
  while (size >= 1023.95 && unit < binary.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1;
  return `${bytes < 0 ? "-" : ""}${size.toFixed(digits)} ${binary[unit] ?? ""}`;
}

/** A span in the two largest units: `2 d 5 h`, `3 min 20 s`. */
function formatLongSpan(seconds: number): string {
  const size = Math.abs(seconds);
  if (size < 172_800) return formatDuration(seconds);
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((size % 86_400) / 3600)} h`;
}

/** What the last part of a name says that a number means. The first that matches. */
const meanings: readonly (readonly [name: RegExp, format: (value: number) => string])[] = [
  [/(?:^|_)bytes$/i, formatBytes],
  [/(?:^|_)(?:mb|mib)$/i, (value) => formatBytes(value * 1024 * 1024)],
  [/(?:^|_)(?:seconds|secs)$/i, formatLongSpan],
  [/(?:^|_)(?:millis|milliseconds|ms)$/i, (value) => formatLongSpan(value / 1000)],
  [/(?:^|_)hours$/i, (value) => formatLongSpan(value * 3600)],
  [/(?:^|_)(?:epoch|timestamp|time|at|version)$/i, (value) => formatTime(new Date(value * 1000))],
];

/** Numbers under a name of a time are seconds since 1970 when they are between 2001 and 2100. */
const isEpoch = (value: number): boolean => value >= 1e9 && value < 4_102_444_800;

/**
 * The human form of a value whose name says what it means: bytes, spans, times.
 * @param name of the value, or the last part of its path: `size_bytes`
 * @returns undefined when the value is readable as it is
 */
export function humanForm(name: string, value: Json): string | undefined {
  if (typeof value === "string") return timeForm(value);
  if (!isNumber(value)) return undefined;
  const number = Number(numberText(value));
  if (!Number.isFinite(number)) return undefined;
  const [pattern, format] = meanings.find(([meaning]) => meaning.test(name)) ?? [];
  if (format === undefined) return undefined;
  const isTime = pattern === meanings.at(-1)?.[0];
  if (isTime ? !isEpoch(number) : Math.abs(number) < smallest(name)) return undefined;
  return format(number);
}

/** Numbers below this are readable as they are. */
function smallest(name: string): number {
  if (/bytes$/i.test(name)) return 1024;
  return /hours$/i.test(name) ? 48 : 60;
}

/** A time in ISO form, in the chosen zone. */
function timeForm(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : formatTime(date, "second");
}
