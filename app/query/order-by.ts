import { clojureText } from "#storage/query/ast/clojure.ts";
import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { QueryError } from "#storage/query/errors.ts";
import { type Json, type JsonObject, isObject } from "#storage/json.ts";
import { illegalValue } from "./conversions.ts";

/** One column to order rows by. */
export interface Ordering {
  readonly field: string;
  readonly descending: boolean;
}

/** The JSON of a URL's `order_by`. */
export function parseOrderBy(text: string): Json {
  try {
    return parseQueryJson(text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw illegalValue("order_by", text, "expected a JSON array of maps.");
  }
}

/**
 * The columns of `order_by`, none when it is empty. Whether an entity has such a column is not checked here.
 * @throws QueryError with PuppetDB's texts (`reference/query.md §2.1, §9.1`)
 */
export function readOrderBy(value: Json): Ordering[] {
  if (isEmpty(value)) return [];
  if (!Array.isArray(value) || !value.every(isObject)) {
    throw illegalValue("order_by", value, "expected an array of maps.");
  }
  for (const { accepts, complaint } of CHECKS) {
    const bad = value.find((map) => !accepts(map));
    if (bad) throw illegalMap(bad, complaint(bad));
  }
  return value.map((map) => {
    const { field } = map;
    if (typeof field !== "string") throw illegalMap(map, "'field' must be a string");
    return { field, descending: orderOf(map) === "desc" };
  });
}

function illegalMap(map: JsonObject, complaint: string): QueryError {
  return new QueryError(`Illegal value '${clojureText(map)}' in :order_by; ${complaint}`);
}

/** What every map has to satisfy; one check looks at all maps before the next one does. */
const CHECKS: readonly { accepts: (map: JsonObject) => boolean; complaint: (map: JsonObject) => string }[] = [
  {
    accepts: (map) => unknownKey(map) === undefined,
    complaint: (map) => `unknown key '${unknownKey(map)}'.`,
  },
  {
    accepts: (map) => "field" in map,
    complaint: () => "missing required key field.",
  },
  {
    accepts: (map) => orderOf(map) !== undefined,
    complaint: () => "'order' must be either 'asc' or 'desc'",
  },
];

function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function unknownKey(map: JsonObject): string | undefined {
  return Object.keys(map).find((key) => key !== "field" && key !== "order");
}

function orderOf({ order = null }: JsonObject): "asc" | "desc" | undefined {
  if (order === null) return "asc";
  const word = typeof order === "string" ? order.toLowerCase() : undefined;
  return word === "asc" || word === "desc" ? word : undefined;
}
