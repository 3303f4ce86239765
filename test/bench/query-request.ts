import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import type { CompileContext } from "#storage/query/compile/statement.ts";
import { planCounts } from "#storage/query/counts.ts";
import type { Queries } from "#storage/query/queries.ts";
import { planQuery, type Plan } from "#storage/query/query.ts";
import type { BenchQuery } from "./queries.ts";

/** Path and parameters of the request for the query. */
export function targetOf(query: BenchQuery): string {
  const { orderBy, limit, offset, includeTotal, summarizeBy } = query;
  const given = {
    query: query.query,
    order_by: orderBy?.map(({ field, descending }) => ({ field, order: descending ? "desc" : "asc" })),
    limit,
    offset,
    include_total: includeTotal,
    summarize_by: summarizeBy,
  };
  const parameters = Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`;
  });
  return `/pdb/query/v4${query.path}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`;
}

/** From the query's text to SQL. */
export function planOf(query: BenchQuery, context: CompileContext): Plan {
  return planWith({ plan: (spec) => planQuery(spec, context), planCounts: (spec) => planCounts(spec, context) }, query);
}

/** The same by the queries of a store, which keep plans. */
export function planWith(queries: Pick<Queries, "plan" | "planCounts">, query: BenchQuery): Plan {
  const { of, query: text, orderBy, limit, offset, summarizeBy = "" } = query;
  const paging = {
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === undefined ? {} : { limit: BigInt(limit) }),
    ...(offset === undefined ? {} : { offset: BigInt(offset) }),
  };
  if (of === "root") return queries.plan({ of, ...paging, ...(text === undefined ? {} : { pql: text }) });
  const condition = text === undefined ? {} : { query: parseQueryJson(text) };
  return of === "counts of events"
    ? queries.planCounts({ summarizeBy, ...paging, ...condition })
    : queries.plan({ of, ...paging, ...condition });
}
