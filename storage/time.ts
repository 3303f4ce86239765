/**
 * Points in time. Everything is UTC and everything is counted in microseconds, which is what the storage keeps;
 * the interface prints milliseconds.
 */

/** Microseconds since 1970-01-01T00:00:00Z; negative before. */
export type Timestamp = bigint;

/** The one source of "now": expiry, retention and every default timestamp ask it, so that tests can fix time. */
export interface Clock {
  now(): Timestamp;
}

/** The machine's clock, in whole milliseconds. */
export const systemClock: Clock = { now: () => timestampOfMillis(Date.now()) };

/** A clock that stands still at `t`. */
export function fixedClock(t: Timestamp): Clock {
  return { now: () => t };
}

/** The point in time `ms` milliseconds after the epoch (a fraction of a millisecond is dropped). */
export function timestampOfMillis(ms: number): Timestamp {
  return BigInt(Math.trunc(ms)) * 1000n;
}

/** The same for a number that somebody sent; undefined when it lies beyond what can be stored. */
export function parseMillis(ms: number): Timestamp | undefined {
  return Number.isFinite(ms) ? inRange(timestampOfMillis(ms)) : undefined;
}

/** What the storage's TIMESTAMP type can hold: about the years -290308 to 294247. */
const EARLIEST: Timestamp = -9_223_372_022_400_000_000n;
/** The last moment that can be stored. */
export const endOfTime: Timestamp = 9_223_372_036_854_775_806n;

type Fields = Record<string, string | undefined>;

const YEAR = String.raw`(?<year>\d{4}|[+-]\d{4,6})`;
const ZONE = String.raw`(?:(?<zone>Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)(?:\[[\w/+:-]+\])?)?`;
const CLOCK = String.raw`(?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?`;
const BASIC_CLOCK = String.raw`(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?:[.,](?<fraction>\d+))?`;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const CURRENT_CLOCK = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d+))?)?`;
const CURRENT_ZONE = String.raw`(?:(?<zone>Z|[+-]\d\d:\d\d(?::\d\d)?)(?:\[[\w/+:-]+\])?)?`;

/** The spellings of the newest peer, in the order they are tried (`reference/query.md` §9.5). */
const CURRENT_FORMS: readonly RegExp[] = [
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  // A bare date is midnight UTC, whatever offset stands behind it.
  form(`${YEAR}-(?<month>\\d\\d)-(?<day>\\d\\d)(?:Z|[+-]\\d\\d:\\d\\d)?`),
  form(`${YEAR}-(?<month>\\d\\d)-(?<day>\\d\\d)T${CURRENT_CLOCK}${CURRENT_ZONE}`),
];

/** What its predecessors took as well: payloads of old agents still spell times so. */
const LEGACY_FORMS: readonly RegExp[] = [
  form(`${YEAR}-(?<month>\\d\\d)-(?<day>\\d\\d)[T ]${CLOCK}${ZONE}`),
  form(`(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)T${BASIC_CLOCK}${ZONE}`),
  form(`${YEAR}-(?<month>\\d\\d)`),
  form(`${YEAR}-(?<yearday>\\d{3})(?:T${CLOCK}${ZONE})?`),
  form(`(?<year>\\d{4})(?<yearday>\\d{3})T${BASIC_CLOCK}${ZONE}`),
  form(`${YEAR}-W(?<week>\\d\\d)(?:-(?<weekday>[1-7])(?:T${CLOCK}${ZONE})?)?`),
  form(`(?<year>\\d{4})W(?<week>\\d\\d)(?<weekday>[1-7])(?:T${BASIC_CLOCK}${ZONE})?`),
  form(
    `(?<dayname>${WEEKDAYS.join("|")}), (?<day>\\d\\d?) (?<monthname>${MONTHS.join("|")}) (?<year>\\d{4}) ` +
      String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))? (?<zone>Z|UTC?|GMT|[+-]\d\d:?\d\d)`,
  ),
];

function form(source: string): RegExp {
  return new RegExp(`^${source}$`, "i");
}

/**
 * Reads a timestamp the way the newest peer's queries spell them: ISO dates and date-times (UTC when no zone is given),
 * basic dates, and any other string of digits as milliseconds since the epoch (`reference/query.md` §9.5). Digits beyond
 * the microsecond are dropped.
 * @returns undefined when `text` is none of these, names no real date, or lies beyond what can be stored
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  return parseForms(text, CURRENT_FORMS);
}

/** The same with every spelling that any generation of the peer took: week and ordinal dates, RFC 822, `+0100`, …. */
export function parseAnyTimestamp(text: string): Timestamp | undefined {
  return parseForms(text, [...CURRENT_FORMS, ...LEGACY_FORMS]);
}

function parseForms(text: string, forms: readonly RegExp[]): Timestamp | undefined {
  for (const pattern of forms) {
    const fields = pattern.exec(text)?.groups;
    if (fields) return inRange(fromFields(fields));
  }
  return /^\d{1,19}$/.test(text) ? inRange(BigInt(text) * 1000n) : undefined;
}

/** A number of days in microseconds. */
export function days(n: number): Timestamp {
  return BigInt(Math.round(n * 86_400)) * 1_000_000n;
}

/** `yyyy-MM-ddTHH:mm:ss.SSSZ`, cut off (not rounded) to the millisecond; years beyond 0000–9999 as `±yyyyyy`. */
export function formatTimestamp(t: Timestamp): string {
  const ms = floorDivide(t, 1000n);
  const date = floorDivide(ms, MS_PER_DAY);
  const { year, month, day } = civilDate(date);
  const time = new Date(Number(ms - date * MS_PER_DAY)).toISOString().slice(10);
  const sign = year < 0 ? "-" : "+";
  const yyyy = year >= 0 && year <= 9999 ? pad(year, 4) : sign + pad(Math.abs(year), 6);
  return `${yyyy}-${pad(month, 2)}-${pad(day, 2)}${time}`;
}

const MS_PER_DAY = 86_400_000n;

function pad(n: number, width: number): string {
  return String(n).padStart(width, "0");
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function inRange(t: Timestamp | undefined): Timestamp | undefined {
  return t !== undefined && t >= EARLIEST && t <= endOfTime ? t : undefined;
}

function fromFields(fields: Fields): Timestamp | undefined {
  const date = dayNumber(fields);
  const clock = clockMicros(fields);
  const offset = offsetSeconds(fields["zone"]);
  if (date === undefined || clock === undefined || offset === undefined) return undefined;
  return BigInt(date) * MS_PER_DAY * 1000n + clock - BigInt(offset) * 1_000_000n;
}

/** Days since the epoch, or undefined for a date that the calendar does not have. */
function dayNumber(fields: Fields): number | undefined {
  const year = Number(fields["year"]);
  if (fields["yearday"] !== undefined) return within(fields["yearday"], 1, daysFromCivil(year, 1, 1), yearLength(year));
  if (fields["week"] !== undefined) {
    const monday = firstMonday(year);
    const weeks = (firstMonday(year + 1) - monday) / 7;
    const start = within(fields["week"], 1, 0, weeks);
    return start === undefined ? undefined : monday + start * 7 + Number(fields["weekday"] ?? 1) - 1;
  }
  const month = fields["monthname"] ? MONTHS.indexOf(fields["monthname"].toLowerCase()) + 1 : Number(fields["month"]);
  if (month < 1 || month > 12) return undefined;
  const first = daysFromCivil(year, month, 1);
  const length = (month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1)) - first;
  const day = within(fields["day"] ?? "1", 1, first, length);
  const wrongWeekday =
    day !== undefined && fields["dayname"] && WEEKDAYS[weekday(day)] !== fields["dayname"].toLowerCase();
  return wrongWeekday ? undefined : day;
}

/** `base` plus how far `text` is above `low`, when it names one of `count` things. */
function within(text: string, low: number, base: number, count: number): number | undefined {
  const above = Number(text) - low;
  return above >= 0 && above < count ? base + above : undefined;
}

function clockMicros(fields: Fields): bigint | undefined {
  const [hour, minute, second] = [fields["hour"], fields["minute"], fields["second"]].map((text) => Number(text ?? 0));
  const micros = BigInt((fields["fraction"] ?? "").padEnd(6, "0").slice(0, 6));
  const seconds = (hour ?? 0) * 3600 + (minute ?? 0) * 60 + (second ?? 0);
  const endOfDay = seconds === 86_400 && micros === 0n;
  if ((minute ?? 0) > 59 || (second ?? 0) > 59 || (seconds >= 86_400 && !endOfDay)) return undefined;
  return BigInt(seconds) * 1_000_000n + micros;
}

/** Seconds east of UTC; at most 18 hours, as in java.time. */
function offsetSeconds(zone: string | undefined): number | undefined {
  const digits = zone?.match(/\d\d/g)?.map(Number) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = digits;
  const total = hours * 3600 + minutes * 60 + seconds;
  if (minutes > 59 || seconds > 59 || total > 18 * 3600) return undefined;
  return zone?.startsWith("-") ? -total : total;
}

/** 0 is Sunday. */
function weekday(date: number): number {
  return (((date + 4) % 7) + 7) % 7;
}

/** The Monday of ISO week 1, the week that holds 4 January. */
function firstMonday(year: number): number {
  const fourth = daysFromCivil(year, 1, 4);
  return fourth - ((weekday(fourth) + 6) % 7);
}

function yearLength(year: number): number {
  return daysFromCivil(year + 1, 1, 1) - daysFromCivil(year, 1, 1);
}

/** Days in the 400 years after which the Gregorian calendar repeats; JavaScript's own dates end at the year 275760. */
const CYCLE_DAYS = 146_097;

function daysFromCivil(year: number, month: number, day: number): number {
  const cycles = Math.floor((year - 2000) / 400);
  return Date.UTC(year - cycles * 400, month - 1, day) / 86_400_000 + cycles * CYCLE_DAYS;
}

function civilDate(dayNumber: bigint): { year: number; month: number; day: number } {
  const cycles = Math.floor(Number(dayNumber) / CYCLE_DAYS);
  const date = new Date((Number(dayNumber) - cycles * CYCLE_DAYS) * 86_400_000);
  return { year: date.getUTCFullYear() + cycles * 400, month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
