import { clipped } from "#storage/clip.ts";
import { stringifyJson } from "#storage/json.ts";
import { fromForm } from "#storage/query/ast/paging.ts";
import type { CompileContext } from "#storage/query/compile/statement.ts";
import { type CountsSpec, planAggregates, planCounts } from "#storage/query/counts.ts";
import { QueryError } from "#storage/query/errors.ts";
import type { QueryLimits } from "#storage/query/limits.ts";
import { astOf, type EntityTarget, type Plan, planQuery, portableAst, type QuerySpec } from "#storage/query/query.ts";
import type { QueryParameters } from "./parameters.ts";

/** The meaning of a request's parameters for a route. */
export type Target =
  | { readonly kind: "root" }
  | { readonly kind: "list"; readonly of: EntityTarget; readonly defaultOrder?: string }
  | { readonly kind: "counts" | "aggregate-counts" }
  /** Parameters are read, but nothing is queried. */
  | { readonly kind: "none" };

/** The settings that change the meaning of queries. */
export interface SpecSettings {
  readonly agentReportsOnly: boolean;
  readonly limits: QueryLimits;
}

/** A query for rows. */
export function specOf(parameters: QueryParameters, { agentReportsOnly, limits }: SpecSettings): Omit<QuerySpec, "of"> {
  const { query, pql, orderBy, limit, offset, distinct, includeFactsExpiration, includePackageInventory } = parameters;
  return {
    ...(query === undefined ? {} : { query }),
    ...(pql === undefined ? {} : { pql }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(distinct === undefined ? {} : { distinct }),
    limits,
    options: { includeFactsExpiration, includePackageInventory, everyReportType: !agentReportsOnly },
  };
}

/** The same of an entity, or of the root. */
export function rowsSpec(
  target: Extract<Target, { kind: "root" | "list" }>,
  parameters: QueryParameters,
  settings: SpecSettings,
): QuerySpec {
  const spec = specOf(parameters, settings);
  if (target.kind === "root") return { of: "root", ...spec };
  const { of, defaultOrder } = target;
  const usual = defaultOrder === undefined ? [] : [{ field: defaultOrder, descending: false }];
  return { of, ...spec, orderBy: spec.orderBy ?? usual };
}

/** A query for counts of events. */
export function countsSpec(parameters: QueryParameters, { limits }: SpecSettings): CountsSpec {
  const { query, summarizeBy = "", countBy, countsFilter, distinct, orderBy, limit, offset } = parameters;
  return {
    summarizeBy,
    limits,
    ...(query === undefined ? {} : { query }),
    ...(countBy === undefined ? {} : { countBy }),
    ...(countsFilter === undefined ? {} : { countsFilter }),
    ...(distinct === undefined ? {} : { distinct }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  };
}

/** The AST of a root query, checked, as PuppetDB reads it. */
export function checkedAst(parameters: QueryParameters, check: (spec: QuerySpec) => void): unknown {
  const ast = astOf(parameters);
  if (ast === undefined) throw new QueryError(fromForm);
  check({ of: "root", query: ast });
  return portableAst(ast);
}

/** The text of the query as it was sent, for the log. */
export function queryText({ pql, query }: QueryParameters): string | undefined {
  const text = pql ?? (query === undefined ? undefined : stringifyJson(query));
  return text === undefined ? undefined : clipped(text);
}

/** The plans of a request: several for aggregates, none where nothing is queried. */
export function plansOf(
  target: Target,
  parameters: QueryParameters,
  settings: SpecSettings,
  context: CompileContext,
): Plan[] {
  switch (target.kind) {
    case "none":
      return [];
    case "counts":
      return [planCounts(countsSpec(parameters, settings), context)];
    case "aggregate-counts":
      return planAggregates(countsSpec(parameters, settings), context);
    default:
      return [planQuery(rowsSpec(target, parameters, settings), context)];
  }
}
