import type { InactiveNodes } from "../nodes/inactive-nodes.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import type { Timestamp } from "../time.ts";
import { namedNodes } from "./compile/conditions.ts";
import type { CompileContext } from "./compile/statement.ts";
import { type CountsSpec, planAggregates, planCounts } from "./counts.ts";
import { type FacetsSpec, planFacets } from "./facets/facets.ts";
import { type HistogramSpec, type PlannedHistogram, readHistogram } from "./histogram/histogram.ts";
import { type Plan, planNodes, planQuery, type QuerySpec, type RowsSpec, type UnknownNodes } from "./query.ts";

export interface PlannerOptions {
  readonly nodes: Pick<NodeIndex, "idOf">;
  readonly inactiveNodes: Pick<InactiveNodes, "snapshot">;
  readonly purgeHorizon: () => Timestamp;
  readonly countsCorrective: boolean;
  readonly ordersPages?: boolean;
  readonly dictionaries?: CompileContext["dictionaries"];
  readonly isLarge?: CompileContext["isLarge"];
  readonly isSteadyFact?: CompileContext["isSteadyFact"];
}

/** What plans depend on that are made on another thread. */
export type PlanningContext = Pick<CompileContext, "purgeHorizon" | "countsCorrective" | "ordersPages">;

/** Makes plans of queries. */
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
    return this.#planned((context) => planQuery(spec, context));
  }

  planCounts(spec: CountsSpec): Plan {
    return this.#planned((context) => planCounts(spec, context));
  }

  planFacets(spec: FacetsSpec): Plan {
    return this.#planned((context) => planFacets(spec, context));
  }

  planHistogram(spec: HistogramSpec): PlannedHistogram {
    const { plan, ...rest } = readHistogram(spec);
    return { ...rest, plan: this.#planned(plan) };
  }

  /** A plan whose rows are the numbers of nodes, one text each. */
  planNodes(spec: RowsSpec): Plan {
    return this.#planned((context) => planNodes(spec, context));
  }

  planAggregates(spec: CountsSpec): Plan[] {
    return planAggregates(spec, this.#context());
  }

  /** A plan. Where the inactive nodes are in memory, it relies on them. */
  #planned(make: (context: CompileContext) => Plan): Plan {
    const inactive = this.#options.inactiveNodes.snapshot;
    const unknown = new Set<string>();
    const made = make(
      this.#context(inactive?.digits, (certname) => {
        unknown.add(certname);
        return undefined;
      }),
    );
    const replan = (): Plan | undefined => (inactive?.isCurrent() === false ? make(this.#context()) : undefined);
    const planWith: UnknownNodes["planWith"] = (ids) => {
      const known = this.#context(inactive?.digits, (certname) => ids.get(certname));
      return { ...make(known), ...(inactive === undefined ? {} : { replan }) };
    };
    const unknownNodes =
      unknown.size > 0 && needsNodes(made) ? { unknownNodes: { certnames: [...unknown], planWith } } : {};
    return { ...made, ...(inactive === undefined ? {} : { replan }), ...unknownNodes };
  }

  /** @param elsewhere returns the id of a node that is not in memory, where it is known */
  #context(inactive?: string, elsewhere?: (certname: string) => number | undefined): CompileContext {
    const { nodes, purgeHorizon, countsCorrective, ordersPages = false, dictionaries } = this.#options;
    const { isLarge, isSteadyFact } = this.#options;
    return {
      ...(isSteadyFact === undefined ? {} : { isSteadyFact }),
      ...(dictionaries === undefined ? {} : { dictionaries }),
      ...(isLarge === undefined ? {} : { isLarge }),
      purgeHorizon: purgeHorizon(),
      nodeOf: (certname) => nodes.idOf(certname) ?? elsewhere?.(certname),
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
