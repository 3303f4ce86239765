import { type Json, isNumber, numberText } from "../json.ts";
import { clojureText } from "./ast/clojure.ts";
import type { DistinctWindow } from "./ast/legacy-events.ts";
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
import { type Plan, selectionOf } from "./query.ts";
import type { Comparison } from "./tree.ts";

/** What is asked of the counts of events (`reference/query.md §8`). */
export interface CountsQuestion {
  readonly query?: Json;
  readonly summarizeBy: string;
  readonly countBy?: string;
  readonly countsFilter?: Json;
  readonly distinct?: DistinctWindow;
  readonly orderBy?: readonly { readonly field: string; readonly descending: boolean }[];
  readonly limit?: bigint;
  readonly offset?: bigint;
}

/** @throws QueryError in the peer's words */
export function planCounts(question: CountsQuestion, context: CompileContext): Plan {
  const counts = readCounts(question, question.summarizeBy, context);
  const orderable: readonly string[] = [...Object.keys(countedEvents(context)), ...summaries[counts.summarizeBy]];
  const orderBy = (question.orderBy ?? []).map(({ field, descending }) => {
    if (!orderable.includes(field)) {
      const supported = orderable.map((name) => `'${name}'`).join(", ");
      throw new QueryError(`Unrecognized column '${field}' specified in :order_by; Supported columns are ${supported}`);
    }
    return { column: field, descending };
  });
  const { limit, offset } = question;
  const paging = { orderBy, ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
  return {
    rows: compileCounts(counts, paging, context),
    total: () => compileCountsTotal(counts, context),
  };
}

/** One plan per word of `summarize_by`, each with one row. */
export function planAggregates(question: CountsQuestion, context: CompileContext): Plan[] {
  return question.summarizeBy.split(",").map((word) => {
    const rows = compileAggregate(readCounts(question, word, context), context);
    return { rows, total: () => rows };
  });
}

function readCounts(question: CountsQuestion, word: string, context: CompileContext): Counts {
  const { query, countBy = "resource", distinct } = question;
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
  });
  return {
    events,
    summarizeBy: word as Summary,
    countBy,
    filter: readFilter(question.countsFilter, Object.keys(countedEvents(context))),
  };
}

const comparisons: readonly Comparison[] = ["=", ">", "<", ">=", "<="];

/** One clause `[op, count, number]`. */
function readFilter(filter: Json | undefined, names: readonly string[]): Counts["filter"] {
  if (filter === undefined || filter === null) return null;
  const [head, name, value, ...more] = Array.isArray(filter) ? filter : [filter];
  const op = comparisons.find((known) => known === head);
  if (op === undefined) {
    const shown = typeof head === "string" ? head : clojureText(head ?? null);
    throw new QueryError(`${clojureText(filter)} is not well-formed: query operator '${shown}' is unknown`);
  }
  const field = names.find((known) => known === name);
  if (field === undefined) {
    const shown = typeof name === "string" ? name : clojureText(name ?? null);
    throw new QueryError(`${op} operator does not support object '${shown}' for event counts`);
  }
  if (value === undefined || more.length > 0) throw new QueryError(`${op} requires exactly two arguments`);
  if (!isNumber(value)) {
    throw new QueryError(
      `Argument "${clojureText(value).replaceAll('"', "")}" is incompatible with numeric field "${field}".`,
    );
  }
  return { op, field, value: Number(numberText(value)) };
}
