/**
 * Points in time. Everything is UTC and counted in microseconds, which is the unit of the storage;
 * the interface prints milliseconds.
 */
import { civilDate } from "./time/calendar.ts";
import { readTime, storable } from "./time/read.ts";

export { endOfTime } from "./time/read.ts";

/** Microseconds since 1970-01-01T00:00:00Z; negative before. */
export type Timestamp = bigint;

/** The only source of the current time: expiry, retention and default timestamps use it, so that tests can fix it. */
export interface Clock {
  now(): Timestamp;
  /** Whether it is fixed; default: it runs. */
  readonly isFixed?: boolean;
}

/** The machine's clock, in whole milliseconds. */
export const systemClock: Clock = { now: () => timestampOfMillis(Date.now()) };

/** A clock that always returns `t`. */
export function fixedClock(t: Timestamp): Clock {
  return { now: () => t, isFixed: true };
}

/** The point in time `ms` milliseconds after the epoch (a fraction of a millisecond is dropped). */
export function timestampOfMillis(ms: number): Timestamp {
  return BigInt(Math.trunc(ms)) * 1000n;
}

/** The same for a number from outside; undefined if it is out of range. */
export function parseMillis(ms: number): Timestamp | undefined {
  return Number.isFinite(ms) ? storable(timestampOfMillis(ms)) : undefined;
}

/**
 * Reads a timestamp in any spelling that PuppetDB accepts in queries and in the times of most commands: ISO dates and
 * date-times, basic, week and ordinal ones, `yyyy-MM-dd HH:mm:ss`, RFC 822; UTC when no offset is given
 * (`time/spellings.ts` has all of them). Digits beyond the microsecond are dropped.
 * @returns undefined when `text` is none of these, is not a real date, or is out of range
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  return readTime(text);
}

/**
 * The same for options of the command line: only texts that begin with a year of four digits, or with a day of the
 * week; between date and time of day there may be a space. In a query `18:05` is a time of 1970-01-01 and `20` a year, which nobody means on a command line.
 */
export function parseMoment(text: string): Timestamp | undefined {
  return /^(?:\d{4}|[a-z]{3})/i.test(text) ? readTime(text.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, "$1T")) : undefined;
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
