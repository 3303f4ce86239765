import { type Json, isExactNumber, isObject } from "../../json.ts";

/**
 * A JSON value as PuppetDB's messages print it, e.g. `["limit" 1]` and `{:field "certname", :order "up"}`
 * (`reference/query.md §9.1`); undefined is `nil`.
 */
export function clojureText(value: Json | undefined): string {
  if (value === null || value === undefined) return "nil";
  if (Array.isArray(value)) return `[${value.map(clojureText).join(" ")}]`;
  if (isObject(value)) {
    const pairs = Object.entries(value).map(([key, inner]) => `:${key} ${clojureText(inner)}`);
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
