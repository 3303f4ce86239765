import type { NodeIndex } from "../nodes/node-index.ts";
import type { Timestamp } from "../time.ts";
import type { CompileContext } from "./compile/statement.ts";
import { type CountsSpec, planAggregates, planCounts } from "./counts.ts";
import { type FacetsSpec, planFacets } from "./facets/facets.ts";
import { type HistogramSpec, type PlannedHistogram, readHistogram } from "./histogram/histogram.ts";
import { planTable, type TableSpec } from "./table.ts";
import { type Plan, planNodes, planQuery, type QuerySpec, type RowsSpec, type UnknownNodes } from "./query.ts";

export interface PlannerOptions {
  readonly nodes: Pick<NodeIndex, "idOf">;
  readonly purgeHorizon: () => Timestamp;
  readonly countsCorrective: boolean;
  readonly ordersPages?: boolean;
  readonly dictionaries?: CompileContext["dictionaries"];
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

  planTable(spec: TableSpec): Plan {
    return this.#planned((context) => planTable(spec, context));
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

  #planned(make: (context: CompileContext) => Plan): Plan {
    const unknown = new Set<string>();
    const made = make(
      this.#context((certname) => {
        unknown.add(certname);
        return undefined;
      }),
    );
    if (unknown.size === 0 || !needsNodes(made)) return made;
    const planWith: UnknownNodes["planWith"] = (ids) => make(this.#context((certname) => ids.get(certname)));
    return { ...made, unknownNodes: { certnames: [...unknown], planWith } };
  }

  /** @param elsewhere returns the id of a node that is not in memory, where it is known */
  #context(elsewhere?: (certname: string) => number | undefined): CompileContext {
    const { nodes, purgeHorizon, countsCorrective, ordersPages = false, dictionaries, isSteadyFact } = this.#options;
    return {
      ...(isSteadyFact === undefined ? {} : { isSteadyFact }),
      ...(dictionaries === undefined ? {} : { dictionaries }),
      purgeHorizon: purgeHorizon(),
      nodeOf: (certname) => nodes.idOf(certname) ?? elsewhere?.(certname),
      countsCorrective,
      ordersPages,
    };
  }
}

/** Whether rows are found much faster by the ids of nodes; most others nearly as fast by a join with the name. */
function needsNodes({ selection }: Plan): boolean {
  return selection?.entity.from.computed !== undefined;
}
