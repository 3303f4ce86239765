import { CensusError } from "../errors.ts";
import { inSetOrder } from "../hash/tag-order.ts";

/** A question that cannot be asked: HTTP 400 with the message as plain text, exit code 2. */
export class QueryError extends CensusError {
  constructor(message: string) {
    super("bad-input", message);
    this.name = "QueryError";
  }
}

/**
 * A mistake in the form of a query: an operator that a field does not take, say. The peer judges the form of a whole
 * query before it looks at what the operands are.
 */
export class FormError extends QueryError {}

/** A mistake that the peer finds once the form is right and before its database sees the query: a time that is none, say. */
export class PlanError extends QueryError {}

/** A map of up to this many keys lists them in the order they were put in; a larger one in the order of their hashes. */
const ARRAY_MAP = 8;

/**
 * Field names in the order in which the peer's messages about projections and orders list them: that of its maps
 * (`reference/hashing.md §3`).
 */
export function mapOrder(names: readonly string[]): readonly string[] {
  return names.length <= ARRAY_MAP ? names : inSetOrder(names);
}

/** `a`, `a and b`, `a, b, and c`, each in single quotes, as the peer lists fields. */
export function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 2) return quoted.join("");
  if (quoted.length === 2) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}
