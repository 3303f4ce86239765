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

/** A query for counts of events (`reference/query.md §8`). */
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

/** @throws QueryError with PuppetDB's message */
export function planCounts(spec: CountsSpec, context: CompileContext): Plan {
  const counts = readCounts(spec, spec.summarizeBy, context);
  const { orderBy } = counts;
  const { limit, offset } = spec;
  if (context.ordersPages === true && (limit !== undefined || offset !== undefined)) {
    const rest = summaries[counts.summarizeBy].filter((name) => !orderBy.some(({ column }) => column === name));
    orderBy.push(...rest.map((column) => ({ column, descending: false })));
  }
  const paging = { orderBy, ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
  return {
    rows: compileCounts(counts, paging, context),
    total: () => compileCountsTotal(counts, context),
  };
}

interface CountOrder {
  readonly column: string;
  readonly descending: boolean;
}

function readCountOrder({ orderBy = [] }: CountsSpec, orderable: readonly string[]): CountOrder[] {
  const columns = new Map(orderBy.toReversed().map((order) => [order.field, order]));
  // The first mention of a column decides the order; rows that are equal in it are equal in a later mention too.
  const wanted = orderBy.filter((order) => columns.get(order.field) === order);
  return wanted.map(({ field, descending }) => {
    if (!orderable.includes(field)) {
      const supported = orderable.map((name) => `'${name}'`).join(", ");
      throw new QueryError(`Unrecognized column '${field}' specified in :order_by; Supported columns are ${supported}`);
    }
    return { column: field, descending };
  });
}

/** One plan, of one row, for each name in `summarize_by`. */
export function planAggregates(spec: CountsSpec, context: CompileContext): Plan[] {
  refuseExtract(spec.query);
  // An empty name after the last comma is ignored.
  const words = spec.summarizeBy.replace(/(?<=[^,]),+$/, "").split(",");
  const plans = words.map((word) => {
    const rows = compileAggregate(readCounts(spec, word, context), context);
    return { rows, total: () => rows };
  });
  // PuppetDB also checks the condition by the rules of the older language of events.
  const { query } = spec;
  if (Array.isArray(query) && query.length > 0) legacyFilter(query);
  return plans;
}

/** Reads the parameters in PuppetDB's order, so that the first error is the same. */
function readCounts(
  spec: CountsSpec,
  word: string,
  context: CompileContext,
): Counts & { readonly orderBy: CountOrder[] } {
  const { query, countBy = "resource", distinct, limits } = spec;
  if (!Object.hasOwn(summaries, word)) throw new QueryError(`Unsupported value for 'summarize_by': '${word}'`);
  const summarizeBy = word as Summary;
  const names = Object.keys(countedEvents(context));
  const orderBy = readCountOrder(spec, [...names, ...summaries[summarizeBy]]);
  const filter = readFilter(spec.countsFilter, names);
  if (distinct !== undefined) refuseExtract(query);
  const events = selectionOf({
    of: { entity: "events", activeOnly: false },
    ...(query === undefined ? {} : { query }),
    ...(distinct === undefined ? {} : { distinct }),
    ...(limits === undefined ? {} : { limits }),
  });
  if (events.groupBy !== null || events.columns.some(({ kind }) => kind === "aggregate")) {
    throw new QueryError("events are counted here, not groups of them; remove functions and group_by");
  }
  if (countBy !== "resource" && countBy !== "certname") {
    throw new QueryError(`Unsupported value for 'count_by': '${countBy}'`);
  }
  return { events, summarizeBy, countBy, filter, orderBy };
}

/** In PuppetDB's older language of events, which aggregates and distinct resources use, there is no extract. */
function refuseExtract(query: Json | undefined): void {
  if (!Array.isArray(query) || query[0] !== "extract") return;
  throw new QueryError("these counts of events take a condition, not extract; write the condition alone");
}

/** One clause `[op, count, number]`, in PuppetDB's older language; an empty array means no filter. */
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
