import { operandText } from "#storage/query/ast/clojure.ts";
import { QueryError } from "#storage/query/errors.ts";
import { type Json, isNumber, numberText } from "#storage/json.ts";
import { parseMoment, type Timestamp } from "#storage/time.ts";

/**
 * Each conversion reads the value of a parameter (a string in a URL, any JSON but null in a body) and throws a
 * QueryError that quotes an invalid value (`reference/query.md §2.1, §9.1`).
 */

/** True for `true` in any case; any other text is false, never an error. */
export function truth(name: string, value: Json): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return value.toLowerCase() === "true";
  throw illegalValue(name, value, "expected a boolean.");
}

/** A text that is taken as it is. */
export function text(name: string, value: Json): string {
  if (typeof value === "string") return value;
  throw illegalValue(name, value, "expected a string.");
}

/** At least 1. */
export function limit(value: Json): bigint {
  const count = wholeNumber(value);
  if (count !== undefined && count > 0n) return count;
  throw illegalValue("limit", value, "expected a positive non-zero integer.");
}

/** At least 0. */
export function offset(value: Json): bigint {
  const count = wholeNumber(value);
  if (count !== undefined && count >= 0n) return count;
  throw illegalValue("offset", value, "expected a non-negative integer.");
}

/** `analyze` is all there is. */
export function explain(value: Json): true {
  if (value === "analyze") return true;
  throw illegalValue("explain", value, "expected `analyze`.");
}

/**
 * Seconds; 0 means no limit. Where PuppetDB does not look at a JSON number, and lets 0 and less end a query at once, 0
 * is the same as `"0"` here and less is refused.
 */
export function timeout(value: Json): number {
  const seconds = isNumber(value) ? Number(numberText(value)) : decimal(value);
  if (seconds >= 0) return Math.min(seconds, Number.MAX_SAFE_INTEGER);
  throw new QueryError(`Query timeout must be non-negative number, not ${operandText(value)}`);
}

/** A point in time. */
export function moment(name: string, value: Json): Timestamp {
  const time = typeof value === "string" ? parseMoment(value) : undefined;
  if (time !== undefined) return time;
  throw illegalValue(name, value, "expected a time such as 2026-11-20T12:00:00Z.");
}

/** An error with PuppetDB's text, e.g. `Illegal value 'x' for :limit; expected …`. */
export function illegalValue(name: string, value: Json, expected: string): QueryError {
  return new QueryError(`Illegal value '${operandText(value)}' for :${name}; ${expected}`);
}

const LARGEST = { text: 2n ** 31n - 1n, json: 2n ** 63n - 1n };

/** A number in a text has at most 32 bits, as in PuppetDB; a JSON number is limited by what the storage can count. */
function wholeNumber(value: Json): bigint | undefined {
  const [digits, largest] = isNumber(value) ? [numberText(value), LARGEST.json] : [value, LARGEST.text];
  if (typeof digits !== "string" || !/^[+-]?\d+$/.test(digits)) return undefined;
  const count = BigInt(digits.replace(/^\+/, ""));
  return count <= largest ? count : undefined;
}

function decimal(value: Json): number {
  return typeof value === "string" && /^(?:\d+|\d*\.\d+)$/.test(value) ? Number(value) : Number.NaN;
}
