import type { Json } from "../../json.ts";
import type { Timestamp } from "../../time.ts";
import { QueryError } from "../errors.ts";
import { type Comparison, operatorNamed } from "../operators.ts";
import type { Condition, Selection } from "../tree.ts";
import { clojureText } from "./clojure.ts";

/** The period of `distinct_resources`, both ends included. */
export interface DistinctWindow {
  readonly start: Timestamp;
  readonly end: Timestamp;
}

const matchable =
  "certname environment resource_type resource_title status property message file line containing_class".split(" ");
const times = ["timestamp", "run_start_time", "run_end_time", "report_receive_time"];

/** The fields that each kind of operator supports, fewer than in other queries. */
const fieldsOf: Readonly<Record<NonNullable<Comparison["legacy"]>, ReadonlySet<string>>> = {
  equality: new Set([...matchable, "report", "latest_report?", "corrective_change", "old_value", "new_value"]),
  match: new Set(matchable),
  order: new Set(times),
};

/**
 * Checks a filter of `distinct_resources` queries, which use an older language with messages of its own
 * (`reference/query.md §8`). Operators may be in upper case, and hyphens in names count as underscores.
 * @returns the filter in the current spelling
 * @throws QueryError
 */
export function legacyFilter(ast: Json): Json {
  const [head, ...args] = Array.isArray(ast) ? ast : [ast];
  if (Array.isArray(ast) && ast.length === 0) {
    throw new QueryError("[] is not well-formed: queries must contain at least one operator");
  }
  const op = Array.isArray(ast) && typeof head === "string" ? head.toLowerCase() : "";
  const operator = operatorNamed(op);
  if (operator?.form === "junction") {
    if (args.length === 0 && op !== "not") throw new QueryError(`${op} requires at least one term`);
    return [op, ...args.map((arg) => legacyFilter(arg))];
  }
  if (operator?.form === "comparison" && operator.legacy !== undefined) {
    return legacyComparison(op, operator.legacy, args);
  }
  // Their fields are checked as in other queries; PuppetDB supports neither lists nor `null?` here.
  if (operator?.form === "membership" || operator?.form === "null test") return [op, ...args];
  const shown = typeof head === "string" ? head : clojureText(head ?? null);
  throw new QueryError(`${clojureText(ast)} is not well-formed: query operator '${shown}' is unknown`);
}

function legacyComparison(op: string, legacy: keyof typeof fieldsOf, args: readonly Json[]): Json {
  const [name, ...rest] = args;
  if (args.length !== 2) throw new QueryError(`${op} requires exactly two arguments, but ${args.length} were supplied`);
  if (typeof name !== "string") return [op, ...args];
  const isOrder = legacy === "order";
  const field = isOrder ? name : name.replaceAll("-", "_");
  if (fieldsOf[legacy].has(field)) return withoutNulls([op, field, ...rest]);
  throw new QueryError(
    isOrder
      ? `${op} operator does not support object '${name}' for resource events`
      : `'${field}' is not a queryable object for version 4 of the resource events API`,
  );
}

/**
 * A null pattern is unknown for rows with a value and false for rows without one, so `not` selects the rows without a
 * value.
 */
function withoutNulls(comparison: [op: string, field: string, ...rest: Json[]]): Json {
  const [op, field, operand] = comparison;
  return op === "~" && operand === null ? ["and", ["null?", field, false], comparison] : comparison;
}

/**
 * Limits a selection to the newest event of each resource and node within the window. A filter by `latest_report?`
 * alone limits the candidates too. Comparisons with NULL are false here, so `not` includes such rows.
 */
export function distinctEvents(selection: Selection, { start, end }: DistinctWindow, filter?: Json): Selection {
  const newest: Condition = { kind: "newest-of-resource", start, end, latest: latestTest(filter) };
  const where = selection.where === null ? [] : [twoValued(selection.where)];
  return { ...selection, where: { kind: "and", clauses: [...where, newest] } };
}

/**
 * The value that the filter requires of `latest_report?`, if it requires nothing else; a `not` around it changes
 * nothing here.
 */
function latestTest(filter: Json | undefined): boolean | null {
  const [op, field, value = null] = Array.isArray(filter) ? filter : [];
  if (op === "not") return latestTest(field);
  return op === "=" && field === "latest_report?" ? value !== null && value !== false : null;
}

function twoValued(condition: Condition): Condition {
  if (condition.kind === "and" || condition.kind === "or") {
    return { ...condition, clauses: condition.clauses.map(twoValued) };
  }
  if (condition.kind === "not") return { ...condition, clause: twoValued(condition.clause) };
  if (condition.kind === "constant") return condition;
  return { kind: "known", clause: condition };
}
