import { type Json, isNumber, isObject, numberText } from "#storage/json.ts";

/** A value as the peer prints it in its messages: a Clojure literal; nothing is `nil` (`reference/commands.md §1.4`). */
export function literal(value: Json | undefined): string {
  if (value === undefined || value === null) return "nil";
  if (Array.isArray(value)) return `[${value.map(literal).join(" ")}]`;
  if (isNumber(value)) return numberText(value);
  if (!isObject(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, member]) => `:${key} ${literal(member)}`);
  return `{${pairs.join(", ")}}`;
}
