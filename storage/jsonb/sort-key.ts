import { sha1, sha1Of } from "../hash/sha1.ts";
import { flat } from "../flat-text.ts";
import { type Json, isExactNumber } from "../json.ts";
import { decimal, jsonbKeys } from "./text.ts";

/**
 * Ranks of the kinds of a JSON value, the first character of a {@link sortKey}. An empty array is less than everything
 * else, a peculiarity of jsonb that clients see when they order by `value` (`reference/query.md §7.2`).
 */
export const sortRank = {
  emptyArray: "0",
  null: "1",
  string: "2",
  number: "3",
  boolean: "4",
  array: "5",
  object: "6",
} as const;

/** Longer keys are cut and end in a digest of the whole key, so they are still equal only for equal values. */
const MAX_KEY_LENGTH = 512;
const CUT_AT = 448;

/**
 * A text that is ordered and compared as the value is in jsonb: the byte order of keys is jsonb's order of values, and
 * two values have the same key exactly when jsonb treats them as equal (5 = 5.0, object keys in any order). Values
 * whose key would exceed 512 characters are ordered by its first 448 only.
 */
export function sortKey(value: Json): string {
  if (typeof value === "string" && value.length >= MAX_KEY_LENGTH) return stringKey(value);
  const key = fullKey(value);
  if (key.length <= MAX_KEY_LENGTH) return key;
  return cutKey(key.slice(0, CUT_AT), sha1(key));
}

/** The key of a long string, without a copy of it. */
function stringKey(value: string): string {
  const digest = sha1Of([sortRank.string, value]);
  return cutKey(sortRank.string + value.slice(0, CUT_AT - sortRank.string.length), digest);
}

/** Copied, because V8 keeps all of a text in memory as long as a slice of it is used. */
function cutKey(beginning: string, digest: string): string {
  return flat(`${beginning}\u{10FFFF}${digest}`);
}

function fullKey(value: Json): string {
  if (value === null) return sortRank.null;
  if (typeof value === "string") return sortRank.string + value;
  if (typeof value === "number" || isExactNumber(value)) return sortRank.number + numberKey(value);
  if (typeof value === "boolean") return sortRank.boolean + (value ? "1" : "0");
  if (Array.isArray(value)) {
    if (value.length === 0) return sortRank.emptyArray;
    return sortRank.array + count(value.length) + value.map((element) => `${fullKey(element)}\u0001`).join("");
  }
  const keys = jsonbKeys(value);
  return (
    sortRank.object +
    count(keys.length) +
    keys.map((key) => `${key}\u0001${fullKey(value[key] ?? null)}\u0001`).join("")
  );
}

function count(n: number): string {
  return String(n).padStart(9, "0");
}

/** Exponents are shifted to be positive; no number of a real payload comes near the bound. */
const EXPONENT_SHIFT = 50_000;
const EXPONENT_MAX = 99_999;

/** Orders any two decimal numbers exactly: sign, exponent, digits; complemented for negative numbers. */
function numberKey(value: Parameters<typeof decimal>[0]): string {
  const { negative, digits, exponent } = decimal(value);
  if (digits === "") return "1";
  const shifted = Math.min(Math.max(exponent + EXPONENT_SHIFT, 0), EXPONENT_MAX);
  if (!negative) return `2${String(shifted).padStart(5, "0")}${digits}`;
  // After the complemented digits a character above every digit: of -1 and -1.5 the longer one is smaller.
  return `0${String(EXPONENT_MAX - shifted).padStart(5, "0")}${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}
