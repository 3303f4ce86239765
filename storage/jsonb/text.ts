import { compareShorterFirst } from "../bytewise.ts";
import { sortShort } from "../short-list.ts";
import { type Json, type JsonObject, isExactNumber, numberText } from "../json.ts";

/**
 * A value as PostgreSQL's `jsonb` prints it: a space after `:` and `,`, object keys ordered by byte length and then
 * bytewise. Stored documents have this format, because `~` on a structured value matches against exactly this text
 * (`reference/query.md §4.5`).
 */
export function jsonbText(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || isExactNumber(value)) return jsonbNumber(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  return Array.isArray(value) ? listText(value) : objectText(value);
}

function listText(list: readonly Json[]): string {
  let text = "[";
  for (const element of list) text += (text.length > 1 ? ", " : "") + jsonbText(element);
  return `${text}]`;
}

function objectText(object: JsonObject): string {
  let text = "{";
  for (const key of jsonbKeys(object)) {
    text += `${text.length > 1 ? ", " : ""}${JSON.stringify(key)}: ${jsonbText(object[key] ?? null)}`;
  }
  return `${text}}`;
}

/** The keys of an object in jsonb's order. */
export function jsonbKeys(value: { [key: string]: Json }): string[] {
  const keys = Object.keys(value);
  if (keys.length < 2) return keys;
  return sortShort(keys, keys.every(isAscii) ? compareAscii : compareShorterFirst);
}

/** Numbers keep their digits as sent; negative zero does not exist in jsonb. */
function jsonbNumber(value: Parameters<typeof numberText>[0]): string {
  const text = numberText(value);
  return /^-0(?:\.0*)?$/.test(text) ? text.slice(1) : text;
}

function compareAscii(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/** A number as sign, digits d1d2… without leading or trailing zeros, and exponent: ±0.d1d2… × 10^exponent. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

export function decimal(value: Parameters<typeof numberText>[0]): Decimal {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(numberText(value)) ?? [];
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/, "");
  if (digits === "") return { negative: false, digits: "", exponent: 0 };
  return { negative: sign === "-", digits, exponent: whole.length - leading + Number(power) };
}
