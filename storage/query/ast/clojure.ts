import { type Json, isExactNumber, isObject } from "../../json.ts";

/**
 * A JSON value as PuppetDB's messages print it, e.g. `["limit" 1]` and `{:field "certname", :order "up"}`
 * (`reference/query.md §9.1`); undefined is `nil`.
 * @param keys whether the keys of objects are keywords, as in parameters, or texts, as in a query of a URL
 */
export function clojureText(value: Json | undefined, keys: "keywords" | "texts" = "keywords"): string {
  if (value === null || value === undefined) return "nil";
  if (Array.isArray(value)) return `[${value.map((each) => clojureText(each, keys)).join(" ")}]`;
  if (isObject(value)) {
    const pairs = Object.entries(value).map(([key, inner]) => {
      return `${keys === "keywords" ? `:${key}` : JSON.stringify(key)} ${clojureText(inner, keys)}`;
    });
    return `{${pairs.join(", ")}}`;
  }
  if (isExactNumber(value)) return value.rawJSON;
  return JSON.stringify(value);
}

/** A value inside a sentence: strings bare, null as Java prints it, all others as {@link clojureText}. */
export function operandText(value: Json): string {
  if (value === null) return "null";
  return typeof value === "string" ? value : clojureText(value);
}
