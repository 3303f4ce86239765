import { sortShort } from "../short-list.ts";
import { type ExactNumber, type Json, type JsonObject, isExactNumber } from "../json.ts";

/**
 * The order of an object's keys (reference/hashing.md §1): `strings` (fact values) by UTF-16 code units; `symbols`
 * (everything else) the same, except that a key with a `/` is split at the first one into namespace and name, and keys
 * without a namespace come first.
 */
export type KeyOrder = "strings" | "symbols";

/**
 * The text of a value that PuppetDB hashes and compares: compact JSON with sorted keys and Java's spelling of numbers
 * (reference/hashing.md §1–2). Lone surrogates become `?`.
 */
export function canonicalText(value: Json, keys: KeyOrder): string {
  switch (typeof value) {
    case "string":
      return canonicalString(value);
    case "number":
      return isInteger(value) ? String(value) : doubleText(value);
    case "boolean":
      return value ? "true" : "false";
    default:
  }
  if (value === null) return "null";
  if (Array.isArray(value)) return arrayText(value, keys);
  return isExactNumber(value) ? exactNumberText(value) : objectText(value, keys);
}

function arrayText(list: readonly Json[], keys: KeyOrder): string {
  let text = "[";
  for (const [index, element] of list.entries()) {
    if (index > 0) text += ",";
    text += canonicalText(element, keys);
  }
  return `${text}]`;
}

// Sorting into a new object for `JSON.stringify` would be shorter, but objects list keys like "10" before all others.
// Joining `canonicalMembers` would be shorter too, but takes a tenth longer.
function objectText(object: JsonObject, keys: KeyOrder): string {
  let text = "{";
  for (const key of sortedKeys(object, keys)) {
    if (text.length > 1) text += ",";
    text += `${canonicalString(key)}:${canonicalText(object[key] as Json, keys)}`;
  }
  return `${text}}`;
}

/** The canonical text of each member of an object, in the order of the object's own text. */
export function canonicalMembers(object: JsonObject, keys: KeyOrder): CanonicalMember[] {
  return sortedKeys(object, keys).map((key) => [key, canonicalText(object[key] as Json, keys)]);
}

export type CanonicalMember = readonly [key: string, text: string];

/** The canonical text of an object with these members. */
export function textOfMembers(members: readonly CanonicalMember[]): string {
  let text = "{";
  for (const [key, value] of members) text += `${text.length > 1 ? "," : ""}${canonicalString(key)}:${value}`;
  return `${text}}`;
}

/** The keys of an object in the given order. */
function sortedKeys(object: JsonObject, keys: KeyOrder): string[] {
  const names = Object.keys(object);
  if (names.length < 2) return names;
  const namespaced = keys === "symbols" && names.some((name) => name.includes("/"));
  return sortShort(names, namespaced ? compareSymbols : compareText);
}

function compareSymbols(a: string, b: string): number {
  const slashA = namespaceEnd(a);
  const slashB = namespaceEnd(b);
  if (slashA < 0 || slashB < 0) return slashA < 0 && slashB < 0 ? compareText(a, b) : slashA - slashB;
  return compareText(a.slice(0, slashA), b.slice(0, slashB)) || compareText(a.slice(slashA), b.slice(slashB));
}

/** The index of the end of the namespace; -1 for none. A key that is just `/` has none. */
function namespaceEnd(key: string): number {
  return key === "/" ? -1 : key.indexOf("/");
}

/** Order by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A string as JSON, with `\u00XX` in upper-case hex and `?` for lone surrogates (reference/hashing.md §2). */
export function canonicalString(text: string): string {
  const quoted = JSON.stringify(text);
  // Only escapes make it longer; a lone surrogate is written as one.
  if (quoted.length === text.length + 2) return quoted;
  return JSON.stringify(text.replace(/[\ud800-\udfff]/gu, "?")).replace(
    /\\(?:u([0-9a-f]{4})|.)/g,
    (escape, hex?: string) => (hex === undefined ? escape : `\\u${hex.toUpperCase()}`),
  );
}

function exactNumberText(number: ExactNumber): string {
  const text = number.rawJSON;
  if (!isInteger(number)) return doubleText(Number(text));
  return text === "-0" ? "0" : text;
}

/** Whether a number was written as an integer, of any size: `12.0` and `1e3` were not. */
export function isInteger(value: number | ExactNumber): boolean {
  if (typeof value !== "number") return /^-?\d+$/.test(value.rawJSON);
  // From 1e21 on a plain number is printed with an exponent, so it was written with one.
  return Number.isInteger(value) && Math.abs(value) < 1e21;
}

/**
 * A double as Java's `Double.toString` of release 19 and later writes it (reference/hashing.md §2): `1.0E10`, `0.001`,
 * `1.0E-4`. A number beyond the range of a double becomes the JSON *string* `"Infinity"`.
 */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return value < 0 ? '"-Infinity"' : '"Infinity"';
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value);
  // At least two digits: where one would be enough, Java writes the nearest number of two digits, which for the
  // smallest is not `x.0`.
  const shortest = value.toExponential();
  return (shortest.includes(".") ? shortest : value.toExponential(1)).replace(/e\+?/, "E");
}
