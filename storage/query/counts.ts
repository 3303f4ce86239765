import { type Json, isNumber, numberText } from "../json.ts";
import { clojureText, operandText } from "./ast/clojure.ts";
import { type DistinctWindow, legacyFilter } from "./ast/legacy-events.ts";
import {
  compileAggregate,
  compileCounts,
  compileCountsTotal,
  countedEvents,
  type Counts,
  summaries,
  type Summary,
} from "./compile/counts.ts";
import type { CompileContext } from "./compile/statement.ts";
import { QueryError } from "./errors.ts";
import type { QueryLimits } from "./limits.ts";
import { type Plan, selectionOf } from "./query.ts";
import { comparisonNamed } from "./operators.ts";

/** What is asked of the counts of events (`reference/query.md §8`). */
export interface CountsSpec {
  readonly query?: Json;
  readonly summarizeBy: string;
  readonly countBy?: string;
  readonly countsFilter?: Json;
  readonly distinct?: DistinctWindow;
  readonly limits?: QueryLimits;
  readonly orderBy?: readonly { readonly field: string; readonly descending: boolean }[];
  readonly limit?: bigint;
  readonly offset?: bigint;
}

/** @throws QueryError in the peer's words */
export function planCounts(spec: CountsSpec, context: CompileContext): Plan {
  const counts = readCounts(spec, spec.summarizeBy, context);
  const orderable: readonly string[] = [...Object.keys(countedEvents(context)), ...summaries[counts.summarizeBy]];
  const columns = new Map((spec.orderBy ?? []).toReversed().map((order) => [order.field, order]));
  // The first mention of a column decides; what is said of it later tells no rows apart.
  const wanted = (spec.orderBy ?? []).filter((order) => columns.get(order.field) === order);
  const orderBy = wanted.map(({ field, descending }) => {
    if (!orderable.includes(field)) {
      const supported = orderable.map((name) => `'${name}'`).join(", ");
      throw new QueryError(`Unrecognized column '${field}' specified in :order_by; Supported columns are ${supported}`);
    }
    return { column: field, descending };
  });
  const { limit, offset } = spec;
  const paging = { orderBy, ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
  return {
    rows: compileCounts(counts, paging, context),
    total: () => compileCountsTotal(counts, context),
  };
}

/** One plan per word of `summarize_by`, each with one row. */
export function planAggregates(spec: CountsSpec, context: CompileContext): Plan[] {
  // Nothing after the last comma is no word.
  const words = spec.summarizeBy.replace(/(?<=[^,]),+$/, "").split(",");
  const plans = words.map((word) => {
    const rows = compileAggregate(readCounts(spec, word, context), context);
    return { rows, total: () => rows };
  });
  // The peer reads the condition a second time, by the older language.
  const { query } = spec;
  if (Array.isArray(query) && query.length > 0) legacyFilter(query);
  return plans;
}

function readCounts(spec: CountsSpec, word: string, context: CompileContext): Counts {
  const { query, countBy = "resource", distinct, limits } = spec;
  if (!Object.hasOwn(summaries, word)) throw new QueryError(`Unsupported value for 'summarize_by': '${word}'`);
  if (countBy !== "resource" && countBy !== "certname") {
    throw new QueryError(`Unsupported value for 'count_by': '${countBy}'`);
  }
  if (Array.isArray(query) && query[0] === "extract") {
    throw new QueryError("counts of events take a condition, not extract; write the condition alone");
  }
  const events = selectionOf({
    of: { entity: "events", activeOnly: false },
    ...(query === undefined ? {} : { query }),
    ...(distinct === undefined ? {} : { distinct }),
    ...(limits === undefined ? {} : { limits }),
  });
  return {
    events,
    summarizeBy: word as Summary,
    countBy,
    filter: readFilter(spec.countsFilter, Object.keys(countedEvents(context))),
  };
}

/** One clause `[op, count, number]`, in the peer's older language; an empty array is none. */
function readFilter(filter: Json | undefined, names: readonly string[]): Counts["filter"] {
  if (filter === undefined || filter === null || (Array.isArray(filter) && filter.length === 0)) return null;
  const [head, ...args] = Array.isArray(filter) ? filter : [filter];
  const [name, value = null] = args;
  const operator = comparisonNamed(head);
  if (operator?.fields.numeric === undefined || operator.sql === undefined) {
    const shown = typeof head === "string" ? head : clojureText(head ?? null);
    throw new QueryError(`${clojureText(filter)} is not well-formed: query operator '${shown}' is unknown`);
  }
  const { ast: op, sql } = operator;
  if (args.length !== 2) {
    throw new QueryError(`${op} requires exactly two arguments, but ${args.length} were supplied`);
  }
  const field = names.find(
    (known) => known === (op === "=" && typeof name === "string" ? name.replaceAll("-", "_") : name),
  );
  if (field === undefined) {
    const shown = operandText(name ?? null);
    throw new QueryError(
      op === "="
        ? `${shown} is not a queryable object for event counts`
        : `${op} operator does not support object '${shown}' for event counts`,
    );
  }
  if (!isNumber(value)) {
    throw new QueryError(`Argument "${operandText(value)}" is incompatible with numeric field "${field}".`);
  }
  return { compare: sql, field, value: Number(numberText(value)) };
}
