import { type Json, isNumber } from "../json.ts";
import { type Timestamp, parseAnyTimestamp, parseTimestamp, timestampOfMillis } from "../time.ts";

const WIRE_TIME =
  /^(?:\d{4}|-\d{4,6}|\+\d{5,6})-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{0,9})?)?(?:Z|[+-]\d\d:\d\d(?::\d\d)?)$/i;

/** Strict times on a day that every month has, which the platform's own parser reads; groups: µs after the ms. */
const ORDINARY_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3}(\d{0,3})\d{0,3})?(?:Z|[+-](?:0\d|1[0-7]):[0-5]\d)$/;

/**
 * Reads the strict kind of time: an ISO date-time with `Z` or an offset `±hh:mm`, up to nine digits of a second
 * (reference/commands.md §3). Digits beyond the microsecond are dropped.
 * @returns undefined for anything else: bare dates, times without zone, dates that do not exist
 */
export function parseWireTime(text: string): Timestamp | undefined {
  // A report has a thousand times, nearly all of them ordinary, and the general way takes some microseconds for each.
  const ordinary = ORDINARY_TIME.exec(text);
  if (ordinary) return timestampOfMillis(Date.parse(text)) + BigInt((ordinary[1] ?? "").padEnd(3, "0"));
  if (!WIRE_TIME.test(text)) return undefined;
  return parseTimestamp(text.replace(/\.(?=[^\d])/, ""));
}

/** Milliseconds that the storage's times can hold. */
const MOST_MILLIS = 9_223_372_036_854_774;

/**
 * Reads the loose kind of time: every spelling that `parseAnyTimestamp` knows, and numbers as milliseconds since the epoch
 * (reference/commands.md §3).
 */
export function parseLooseTime(value: Json): Timestamp | undefined {
  if (typeof value === "string") return parseAnyTimestamp(value);
  if (!isNumber(value)) return undefined;
  const millis = typeof value === "number" ? value : Number(value.rawJSON);
  return Math.abs(millis) <= MOST_MILLIS ? timestampOfMillis(millis) : undefined;
}
