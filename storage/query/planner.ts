import type { Timestamp } from "../time.ts";
import type { CompileContext } from "./compile/statement.ts";
import { type CountsQuestion, planAggregates, planCounts } from "./counts.ts";
import { type Plan, planQuery, type Question } from "./query.ts";

/** What is known of nodes without asking the engine. */
export interface KnownNodes {
  nodeOf(certname: string): number | undefined;
  /** Which are inactive, as in {@link CompileContext.inactive}, and whether that is so still; undefined: not known. */
  readonly inactive: { readonly digits: string; holds(): boolean } | undefined;
}

export interface PlannerOptions {
  readonly nodes: KnownNodes;
  readonly purgeHorizon: () => Timestamp;
  readonly countsCorrective: boolean;
}

interface Kept {
  readonly plan: Plan;
  readonly inactive: KnownNodes["inactive"];
}

const notNoted = (): void => undefined;

/** Makes plans of questions, and keeps those that stay what they are. */
export class Planner {
  readonly #options: PlannerOptions;
  readonly #kept = new WeakMap<Question | CountsQuestion, Kept>();

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  /** What plans are made with elsewhere: as of now, and without what is known of nodes. */
  get world(): Pick<CompileContext, "purgeHorizon" | "countsCorrective"> {
    const { purgeHorizon, countsCorrective } = this.#options;
    return { purgeHorizon: purgeHorizon(), countsCorrective };
  }

  plan(question: Question): Plan {
    return this.#planned(question, (context) => planQuery(question, context));
  }

  planCounts(question: CountsQuestion): Plan {
    return this.#planned(question, (context) => planCounts(question, context));
  }

  planAggregates(question: CountsQuestion): Plan[] {
    return planAggregates(question, this.#context(notNoted));
  }

  /**
   * A plan that relies on which nodes are inactive, where that is known. Of the same object it is the same plan again, unless
   * it was made of something that may change: the time, or the node of a name.
   */
  #planned(question: Question | CountsQuestion, make: (context: CompileContext) => Plan): Plan {
    const { inactive } = this.#options.nodes;
    const kept = this.#kept.get(question);
    if (kept !== undefined && isSame(kept.inactive, inactive)) return kept.plan;
    let isLasting = true;
    const made = make(this.#context(() => (isLasting = false), inactive?.digits));
    const instead = (): Plan | undefined => (inactive?.holds() === false ? make(this.#context(notNoted)) : undefined);
    const plan = inactive === undefined ? made : { ...made, instead };
    if (isLasting) this.#kept.set(question, { plan, inactive });
    return plan;
  }

  /** @param used called when something is looked at that may be another the next time */
  #context(used: () => void, inactive?: string): CompileContext {
    const { nodes, purgeHorizon, countsCorrective } = this.#options;
    return {
      get purgeHorizon() {
        used();
        return purgeHorizon();
      },
      nodeOf: (certname) => {
        used();
        return nodes.nodeOf(certname);
      },
      countsCorrective,
      ...(inactive === undefined ? {} : { inactive }),
    };
  }
}

/** Whether what a plan was made with is what is known now. */
function isSame(then: KnownNodes["inactive"], now: KnownNodes["inactive"]): boolean {
  if (then === undefined || now === undefined) return then === now;
  return then.digits === now.digits && then.holds();
}
