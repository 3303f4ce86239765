import type { InactiveNodes, InactiveSnapshot } from "../nodes/inactive-nodes.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import { dataKey } from "../data-key.ts";
import type { Timestamp } from "../time.ts";
import type { DistinctWindow } from "./ast/legacy-events.ts";
import { namedNodes } from "./compile/conditions.ts";
import type { CompileContext } from "./compile/statement.ts";
import { type CountsSpec, planAggregates, planCounts } from "./counts.ts";
import { type FacetsSpec, planFacets } from "./facets/facets.ts";
import { type HistogramSpec, type PlannedHistogram, readHistogram } from "./histogram/histogram.ts";
import { type Plan, planNodes, planQuery, type QuerySpec, type RowsSpec, type UnknownNodes } from "./query.ts";
import type { Dependency, QueryCache } from "./query-cache.ts";

export interface PlannerOptions {
  readonly nodes: Pick<NodeIndex, "idOf">;
  readonly inactiveNodes: Pick<InactiveNodes, "snapshot">;
  readonly purgeHorizon: () => Timestamp;
  readonly countsCorrective: boolean;
  readonly ordersPages?: boolean;
  readonly dictionaries?: CompileContext["dictionaries"];
  readonly rowCounts?: CompileContext["rowCounts"];
  readonly isLarge?: CompileContext["isLarge"];
  readonly isSteadyFact?: CompileContext["isSteadyFact"];
  readonly cache: QueryCache;
}

/** What plans depend on that are made on another thread. */
export type PlanningContext = Pick<CompileContext, "purgeHorizon" | "countsCorrective" | "ordersPages">;

/** Records something that the plan depends on and that may change. */
type Depend = (dependency: Dependency, name?: string) => void;

const ignore: Depend = () => undefined;

/** Estimated bytes of a plan besides its texts: the tree that its other statements are made of. */
const PLAN_BYTES = 2048;

/** Makes plans of queries and caches them. */
export class Planner {
  readonly #options: PlannerOptions;

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  /** The context for plans that are made on another thread: the current time, without the nodes in memory. */
  get planningContext(): PlanningContext {
    const { purgeHorizon, countsCorrective, ordersPages = false } = this.#options;
    return { purgeHorizon: purgeHorizon(), countsCorrective, ordersPages };
  }

  plan(spec: QuerySpec): Plan {
    return this.#planned(specKey(spec), (context) => planQuery(spec, context));
  }

  planCounts(spec: CountsSpec): Plan {
    return this.#planned(countsKey(spec), (context) => planCounts(spec, context));
  }

  planFacets(spec: FacetsSpec): Plan {
    return this.#planned(`facets ${dataKey(spec)}`, (context) => planFacets(spec, context));
  }

  planHistogram(spec: HistogramSpec): PlannedHistogram {
    const { plan, ...rest } = readHistogram(spec);
    return { ...rest, plan: this.#planned(`histogram ${dataKey(spec)}`, plan) };
  }

  /** A plan whose rows are the numbers of nodes, one text each. */
  planNodes(spec: RowsSpec): Plan {
    return this.#planned(`nodes ${dataKey(spec)}`, (context) => planNodes(spec, context));
  }

  planAggregates(spec: CountsSpec): Plan[] {
    return planAggregates(spec, this.#context(ignore));
  }

  /** A cached plan. Where the inactive nodes are in memory, it relies on them. */
  #planned(key: string, make: (context: CompileContext) => Plan): Plan {
    const { inactiveNodes, cache } = this.#options;
    return cache.get(key, () => {
      const inactive = inactiveNodes.snapshot;
      const dependencies = new Map<string, Dependency>();
      const depend: Depend = (dependency, name = "") => dependencies.set(`${dependency.on} ${name}`, dependency);
      depend({ on: "inactive nodes", isUnchanged: () => isUnchanged(inactive, inactiveNodes.snapshot) });
      const unknown = new Set<string>();
      const context = this.#context(depend, inactive?.digits, (certname) => {
        unknown.add(certname);
        return undefined;
      });
      const made = make(context);
      const dependsOn = [...dependencies.values()];
      const replan = (): Plan | undefined =>
        inactive?.isCurrent() === false ? make(this.#context(ignore)) : undefined;
      const planWith: UnknownNodes["planWith"] = (ids) => {
        const known = this.#context(ignore, inactive?.digits, (certname) => ids.get(certname));
        return { ...make(known), ...(inactive === undefined ? {} : { replan }) };
      };
      const unknownNodes =
        unknown.size > 0 && needsNodes(made) ? { unknownNodes: { certnames: [...unknown], planWith } } : {};
      const value = { ...made, ...(inactive === undefined ? {} : { replan }), ...unknownNodes };
      return { value, bytes: PLAN_BYTES + 4 * key.length + 2 * made.rows.sql.length, dependsOn };
    });
  }

  /** @param elsewhere returns the id of a node that is not in memory, where it is known */
  #context(depend: Depend, inactive?: string, elsewhere?: (certname: string) => number | undefined): CompileContext {
    const { nodes, purgeHorizon, countsCorrective, ordersPages = false, dictionaries, rowCounts } = this.#options;
    const { isLarge = () => false, isSteadyFact } = this.#options;
    return {
      ...(isSteadyFact === undefined ? {} : { isSteadyFact }),
      ...(dictionaries === undefined ? {} : { dictionaries }),
      ...(rowCounts === undefined ? {} : { rowCounts }),
      get purgeHorizon() {
        const horizon = purgeHorizon();
        depend({ on: "time", isUnchanged: () => purgeHorizon() === horizon });
        return horizon;
      },
      nodeOf: (certname) => {
        const id = nodes.idOf(certname);
        depend({ on: "node", isUnchanged: () => nodes.idOf(certname) === id }, certname);
        return id ?? elsewhere?.(certname);
      },
      isLarge: (table) => {
        const isLargeNow = isLarge(table);
        depend({ on: "table size", isUnchanged: () => isLarge(table) === isLargeNow }, table);
        return isLargeNow;
      },
      countsCorrective,
      ordersPages,
      ...(inactive === undefined ? {} : { inactive }),
    };
  }
}

/** Whether rows are found much faster by the ids of nodes; most others nearly as fast by a join with the name. */
function needsNodes({ selection }: Plan): boolean {
  if (selection === undefined) return false;
  const { entity, where } = selection;
  return entity.from.computed !== undefined || namedNodes(entity, where) !== undefined;
}

/** Whether the inactive nodes are the same as when the plan was made. */
function isUnchanged(then: InactiveSnapshot | undefined, now: InactiveSnapshot | undefined): boolean {
  if (then === undefined || now === undefined) return then === now;
  return then.digits === now.digits && then.isCurrent();
}

/** The key of the cache, the same for two queries that mean the same. */
function specKey({ of, query, pql, orderBy, limit, offset, options, limits, distinct }: QuerySpec): string {
  const target = of === "root" ? of : [of.entity, of.activeOnly, of.restrictions];
  const page = [String(limit), String(offset)];
  return `rows ${dataKey({ target, query, pql, orderBy, page, options, limits, window: windowText(distinct) })}`;
}

function countsKey(spec: CountsSpec): string {
  const { query, summarizeBy, countBy, countsFilter, distinct, limits, orderBy, limit, offset } = spec;
  const page = [String(limit), String(offset)];
  const window = windowText(distinct);
  return `counts ${dataKey({ query, summarizeBy, countBy, countsFilter, window, limits, orderBy, page })}`;
}

function windowText(window: DistinctWindow | undefined): string | undefined {
  return window === undefined ? undefined : `${window.start}/${window.end}`;
}
