import { operandText } from "#storage/query/ast/clojure.ts";
import { QueryError } from "#storage/query/errors.ts";
import { type Json, isNumber, numberText } from "#storage/json.ts";
import { type Timestamp, parseTimestamp, timestampOfMillis } from "#storage/time.ts";
import { truth } from "./conversions.ts";

/** The stretch of time of which only the newest event of each resource counts; both ends belong to it. */
export interface DistinctResources {
  readonly start: Timestamp;
  readonly end: Timestamp;
  /** the times as they were given */
  readonly startText: string;
  readonly endText: string;
}

const NAMES = "'distinct_start_time' and 'distinct_end_time'";

/**
 * Reads `distinct_resources` and its two times, which require each other (`reference/query.md §8`).
 * @param given the parameters that were given
 * @returns undefined for an ordinary query: none is given, or `distinct_resources` is not true
 * @throws QueryError when one of them is missing or a time is invalid
 */
export function readDistinct(given: ReadonlyMap<string, Json>): DistinctResources | undefined {
  const wanted = given.get("distinct_resources");
  const from = given.get("distinct_start_time");
  const to = given.get("distinct_end_time");
  if (wanted === undefined && from === undefined && to === undefined) return undefined;
  if (wanted === undefined && from !== undefined && to !== undefined) {
    throw new QueryError(`'distinct_resources' query parameter must accompany parameters ${NAMES}`);
  }
  if (wanted === undefined || from === undefined || to === undefined) {
    throw new QueryError(`'distinct_resources' query parameter requires accompanying parameters ${NAMES}`);
  }
  const [startText, endText] = [operandText(from), operandText(to)];
  const [start, end] = [timeOf(from), timeOf(to)];
  if (start === undefined || end === undefined) {
    throw new QueryError(`query parameters ${NAMES} must be valid datetime strings: ${startText} ${endText}`);
  }
  return truth("distinct_resources", wanted) ? { start, end, startText, endText } : undefined;
}

/** A number is milliseconds since the epoch. */
function timeOf(value: Json): Timestamp | undefined {
  if (typeof value === "string") return parseTimestamp(value);
  const digits = isNumber(value) ? numberText(value) : "";
  return /^-?\d{1,15}$/.test(digits) ? timestampOfMillis(Number(digits)) : undefined;
}
