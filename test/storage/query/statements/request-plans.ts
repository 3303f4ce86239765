import { formPairs } from "#app/query/form-pairs.ts";
import { readParameters } from "#app/query/parameters.ts";
import { plansOf, type Target } from "#app/query/query-spec.ts";
import { queryRoot, queryRoutes, type QueryRoute } from "#app/routes/query-table.ts";
import { CensusError } from "#storage/errors.ts";
import type { CompileContext } from "#storage/query/compile/statement.ts";
import { defaultQueryLimits } from "#storage/query/limits.ts";
import type { Plan } from "#storage/query/query.ts";

/** A request of the query API. */
export interface StatementRequest {
  /** The path with its parameters. */
  readonly target: string;
  /** Of a POST; absent: it is a GET. */
  readonly body?: string;
}

const settings = { agentReportsOnly: true, limits: defaultQueryLimits };

/** The plans that a request makes; none where the server refuses it, or has no route for it. */
export function plansOfRequest({ target, body }: StatementRequest, context: CompileContext): Plan[] {
  const mark = target.indexOf("?");
  const [path, search] = mark < 0 ? [target, ""] : [target.slice(0, mark), target.slice(mark)];
  const found = routeOf(path);
  if (found === undefined) return [];
  try {
    const parameters = readParameters(
      found.route.rules,
      body === undefined ? { method: "GET", params: formPairs(search) } : { method: "POST", body },
    );
    return plansOf(targetOf(found), parameters, settings, context);
  } catch (error) {
    if (error instanceof CensusError) return [];
    throw error;
  }
}

interface FoundRoute {
  readonly route: QueryRoute;
  /** The segments of the path by their names. */
  readonly segments: ReadonlyMap<string, string>;
}

/** The route of a path; of several, the one with the fewest named segments. */
function routeOf(path: string): FoundRoute | undefined {
  const given = path.split("/");
  const found = queryRoutes.flatMap((route) => {
    const wanted = `${queryRoot}${route.path === "" ? "" : `/${route.path}`}`.split("/");
    const isEqual = wanted.every((segment, index) => segment.startsWith(":") || segment === given[index]);
    if (wanted.length !== given.length || !isEqual) return [];
    const segments = wanted.flatMap((segment, index): [string, string][] =>
      segment.startsWith(":") ? [[segment.slice(1), decodeURIComponent(given[index] ?? "")]] : [],
    );
    return [{ route, segments: new Map(segments) }];
  });
  return found.toSorted((a, b) => a.segments.size - b.segments.size)[0];
}

function targetOf({ route, segments }: FoundRoute): Target {
  if (route.kind === "document") return { kind: "none" };
  if (route.kind !== "list" && route.kind !== "single") return { kind: route.kind };
  const fixed = Object.entries(route.restrict).map(([field, segment]) => [field, segments.get(segment) ?? ""]);
  const of = {
    entity: route.entity,
    activeOnly: route.kind === "list" && route.activeOnly,
    restrictions: Object.fromEntries(fixed) as Record<string, string>,
  };
  const defaultOrder = route.kind === "list" ? route.defaultOrder : undefined;
  return { kind: "list", of, ...(defaultOrder === undefined ? {} : { defaultOrder }) };
}
