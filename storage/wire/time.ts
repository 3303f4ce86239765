import { type Json, isNumber } from "../json.ts";
import { readWireTime } from "../time/read.ts";
import { parseMillis, parseTimestamp, type Timestamp } from "../time.ts";

/**
 * Reads a time in the strict format: an ISO date-time with `Z` or an offset `±hh:mm`, up to nine digits of a second
 * (reference/commands.md §3). Digits beyond the microsecond are dropped.
 * @returns undefined for anything else: bare dates, times without zone, dates that do not exist
 */
export function parseWireTime(text: string): Timestamp | undefined {
  return readWireTime(text);
}

/**
 * Reads a time in the loose format: every format that queries accept, and numbers as milliseconds since the epoch
 * (reference/commands.md §3).
 */
export function parseLooseTime(value: Json): Timestamp | undefined {
  if (typeof value === "string") return parseTimestamp(value);
  if (!isNumber(value)) return undefined;
  return parseMillis(typeof value === "number" ? value : Number(value.rawJSON));
}
