import {
  exactNumber,
  isNumber,
  isObject,
  numberText,
  stringifyJson,
  type ExactNumber,
  type Json,
  type JsonObject,
} from "#storage/json.ts";
import type { CompareRules } from "./recording.ts";

/** Fields that hold the server's own clock: any timestamp equals any other there (reference/query.md §12). */
const CLOCK_FIELDS = new Set([
  "receive_time",
  "report_receive_time",
  "facts_timestamp",
  "catalog_timestamp",
  "server_time",
]);

/** Inner arrays whose order PuppetDB's database does not fix (reference/query.md §12). */
const UNORDERED_FIELDS = new Set(
  ["tags", "edges", "resources", "facts", "resource_events", "logs", "metrics", "data"].concat([
    "package_inventory",
    "inputs",
    "array_agg",
    "jsonb_agg",
  ]),
);

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ORIGIN = /^https?:\/\/[^/]+/;

/**
 * A value in the one form that equal answers share: keys sorted, numbers written by value (1, 1.0 and 1e0 alike, no
 * digit rounded), masked and server-made values replaced by a word, arrays without an order of their own sorted.
 */
export function normalForm(value: Json, rules: CompareRules, key = ""): Json {
  if (rules.mask.includes(key)) return `<masked ${key}>`;
  if (isNumber(value)) return numberByValue(value);
  if (typeof value === "string") return normalString(value, rules, key);
  if (Array.isArray(value)) {
    const items = value.map((item) => normalForm(item, rules));
    return UNORDERED_FIELDS.has(key) && !rules.innerOrdered ? sortedByText(items) : items;
  }
  return isObject(value) ? normalObject(value, rules) : value;
}

function normalObject(value: JsonObject, rules: CompareRules): JsonObject {
  const object = Object.create(null) as JsonObject; // facts may be called __proto__
  for (const key of Object.keys(value).sort()) object[key] = normalForm(value[key] as Json, rules, key);
  return object;
}

function normalString(text: string, { replayedSince }: CompareRules, key: string): string {
  if (replayedSince !== undefined && isReplayed(text, replayedSince)) return "<time>";
  if (CLOCK_FIELDS.has(key) && TIMESTAMP.test(text)) return "<time>";
  if (key === "uuid" && UUID.test(text)) return "<uuid>";
  return key === "href" ? text.replace(ORIGIN, "") : text;
}

function isReplayed(text: string, since: number): boolean {
  return text === "NOW" || (TIMESTAMP.test(text) && Date.parse(text) >= since);
}

/** Values in the order of their JSON texts: two multisets are equal when these lists are. */
export function sortedByText(values: readonly Json[]): Json[] {
  return values
    .map((value) => ({ text: stringifyJson(value), value }))
    .sort((left, right) => (left.text < right.text ? -1 : left.text > right.text ? 1 : 0))
    .map((entry) => entry.value);
}

/** Powers of ten above this stay an exponent: written out they would be too long. */
const WRITTEN_ZEROS = 40;

/** A number rewritten so that equal values have equal texts: an integer in digits, anything else as digits and exponent. */
function numberByValue(value: number | ExactNumber): number | ExactNumber {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(numberText(value)) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return 0;
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  if (power < 0 || power > WRITTEN_ZEROS) return exactNumber(`${sign}${significant}e${power}`);
  return exactNumber(sign + significant + "0".repeat(power));
}
