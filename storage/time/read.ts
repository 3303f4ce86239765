import { daysFromCivil, firstMonday, mondayOf, monthLength, weeksOf, yearLength } from "./calendar.ts";
import { compileSpellings, scanTime, type TimeFields } from "./scan.ts";
import { SPELLINGS, WIRE_SPELLINGS } from "./spellings.ts";

const MICROS_PER_DAY = 86_400_000_000n;

const spellings = SPELLINGS.map(compileSpellings);
const wireSpellings = WIRE_SPELLINGS.map(compileSpellings);

/** Strict times on a day that every month has, which the platform's own parser reads; groups: µs after the ms. */
const ORDINARY_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3}(\d{0,3})\d{0,3})?(?:Z|[+-](?:0\d|1[0-7]):[0-5]\d)$/;

/** On the wire, years of four digits have no sign, others have one. */
const WIRE_YEAR = /^(?:\d{4}|-\d{4,6}|\+\d{5,6})-/;

/** The latest point in time of that range. */
export const endOfTime = 9_223_372_036_854_775_806n;

/**
 * Reads a time in any spelling of the table. Digits beyond the microsecond are dropped.
 * @returns microseconds since the epoch; undefined when the text is not a time, or is out of range
 */
export function readTime(text: string): bigint | undefined {
  return readOrdinary(text) ?? readSpelling(text, spellings);
}

/** The same for the strict spellings that most wire formats accept. */
export function readWireTime(text: string): bigint | undefined {
  return readOrdinary(text) ?? (WIRE_YEAR.test(text) ? readSpelling(text, wireSpellings) : undefined);
}

/** `t`, unless it is out of range. */
export function storable(t: bigint | undefined): bigint | undefined {
  // The range of the storage's TIMESTAMP type: about the years -290308 to 294247.
  return t !== undefined && t >= -9_223_372_022_400_000_000n && t <= endOfTime ? t : undefined;
}

/** A report has a thousand times, nearly all in the common spelling; the general reader takes microseconds for each. */
function readOrdinary(text: string): bigint | undefined {
  const ordinary = ORDINARY_TIME.exec(text);
  if (ordinary === null) return undefined;
  return BigInt(Date.parse(text)) * 1000n + BigInt((ordinary[1] ?? "").padEnd(3, "0"));
}

function readSpelling(text: string, among: typeof spellings): bigint | undefined {
  const startsWithLetter = /^[a-z]/i.test(text);
  for (const spelling of among) {
    if (spelling.startsWithLetter !== startsWithLetter) continue;
    for (const fields of scanTime(text, spelling)) {
      const time = storable(microsOf(fields));
      if (time !== undefined) return time;
    }
  }
  return undefined;
}

function microsOf(fields: TimeFields): bigint | undefined {
  if (fields.millis !== undefined) return BigInt(fields.millis) * 1000n;
  const day = dayOf(fields);
  const clock = clockOf(fields);
  if (day === undefined || clock === undefined) return undefined;
  return BigInt(day) * MICROS_PER_DAY + clock - BigInt(fields.offset ?? 0) * 1000n;
}

/** Days since the epoch, or undefined for a date that the calendar does not have. */
function dayOf({ year = 1970, month = 1, day = 1, yearDay, week, weekDay }: TimeFields): number | undefined {
  if (week !== undefined) {
    const inWeek = weekDay ?? 1;
    if (!within(week, 1, weeksOf(year)) || !within(inWeek, 1, 7)) return undefined;
    return firstMonday(year) + (week - 1) * 7 + inWeek - 1;
  }
  if (yearDay !== undefined) {
    return within(yearDay, 1, yearLength(year)) ? daysFromCivil(year, 1, yearDay) : undefined;
  }
  if (!within(month, 1, 12) || !within(day, 1, monthLength(year, month))) return undefined;
  const date = daysFromCivil(year, month, day);
  // PuppetDB moves a date to the named day of its week.
  return weekDay === undefined ? date : mondayOf(date) + weekDay - 1;
}

/** Microseconds since midnight. */
function clockOf({ hour, minute, second, fraction, endOfDay }: TimeFields): bigint | undefined {
  const unit = second !== undefined ? 1_000_000n : minute !== undefined ? 60_000_000n : 3_600_000_000n;
  const part =
    fraction === undefined || fraction === "" ? 0n : (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
  const [h, m, s] = [hour ?? 0, minute ?? 0, second ?? 0];
  const isEnd = endOfDay === true && h === 24 && m === 0 && s === 0 && part === 0n;
  if ((h > 23 && !isEnd) || m > 59 || s > 59) return undefined;
  return BigInt(h * 3600 + m * 60 + s) * 1_000_000n + part;
}

function within(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
