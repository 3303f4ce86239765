import { CensusError } from "../errors.ts";
import { inSetOrder } from "../hash/tag-order.ts";

/** An invalid query: HTTP 400 with the message as plain text, exit code 2. */
export class QueryError extends CensusError {
  constructor(message: string) {
    super("bad-input", message);
    this.name = "QueryError";
  }
}

/**
 * An error in the form of a query, such as an operator that a field does not support. PuppetDB checks the form of the
 * whole query before it checks the operands.
 */
export class FormError extends QueryError {}

/**
 * An error that PuppetDB reports after the form is checked and before its database sees the query, such as an invalid
 * time.
 */
export class PlanError extends QueryError {}

/**
 * Names of fields, in the order in which PuppetDB declares them, as its messages about projections and orders list them: in the
 * order of its maps (`reference/hashing.md §3`).
 */
export function mapOrder(names: readonly string[]): readonly string[] {
  // Keys of a small map are in the order of insertion, those of a larger one in the order of their hashes.
  return names.length <= 8 ? names : inSetOrder(names);
}

/** `a`, `a and b`, `a, b, and c`, each in single quotes, as PuppetDB lists fields. */
export function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 2) return quoted.join("");
  if (quoted.length === 2) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}
