import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { QueryError } from "#storage/query/errors.ts";
import { type Json, isNumber, isObject } from "#storage/json.ts";
import type { Pair } from "./form-pairs.ts";

/** The parameters of a request for rows. */
export type QueryRequest =
  /** the pairs of the URL, and those of a form-encoded body, which win; anything that iterates over pairs will do */
  | { readonly method: "GET"; readonly params: Iterable<Pair>; readonly form?: Iterable<Pair> }
  /** the text of the body; parameters in the URL do not count then */
  | { readonly method: "POST"; readonly body: string };

/** The given parameters, by name and in their order; a null in a POST is kept. */
export type Given = ReadonlyMap<string, Json>;

/**
 * Collects the parameters of a request, unread.
 * @throws QueryError when a name occurs twice in the URL, or the body is not a JSON object (`reference/query.md §2`)
 */
export function givenParameters(request: QueryRequest): Given {
  if (request.method === "POST") return new Map(Object.entries(bodyObject(request.body)));
  return new Map([...once(request.params), ...once(request.form ?? [])]);
}

function once(pairs: Iterable<Pair>): Given {
  const given = new Map<string, Json>();
  for (const [name, value] of pairs) {
    if (given.has(name)) throw new QueryError(`Query parameter '${name}' was given more than once`);
    given.set(name, value);
  }
  return given;
}

function bodyObject(body: string): Record<string, Json> {
  const value = parseQueryJson(body) ?? {};
  if (isObject(value)) return value;
  throw new QueryError(`The body of a query must be a JSON object of parameters, not ${kindOf(value)}`);
}

/** The description of a JSON value. */
export function kindOf(value: Json): string {
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  if (isNumber(value)) return "a number";
  return value === null ? "null" : `a ${typeof value}`;
}
