import type { H3Event } from "h3";
import type { Plan } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { jsonText } from "../http/answers.ts";
import type { OpenedRows, QueryAdmission } from "../query/admission.ts";
import type { QueryParameters } from "../query/parameters.ts";
import { countsQuestion, rowsQuestion, type Target } from "../query/question.ts";
import type { LargeReading } from "../query/question-worker.ts";
import type { QuerySettings } from "../query/settings.ts";
import type { QueryWatch } from "../query/watch.ts";

/** One request for rows, read and about to be answered. */
export interface Asking {
  readonly store: Store;
  readonly admission: QueryAdmission;
  readonly event: H3Event;
  readonly parameters: QueryParameters;
  /** What was read off the event loop, if the query was large. */
  readonly large: LargeReading | undefined;
  readonly settings: QuerySettings;
  /** Ends with the client, or with the time that the query may take. */
  readonly signal: AbortSignal;
  readonly watch: QueryWatch;
}

/** The plans of a request. */
export function plansFor({ store, parameters, large, settings }: Asking, target: Target): Plan[] {
  if (large !== undefined) {
    return large.plans.map((plan) => ({ rows: plan.rows, total: () => plan.total ?? plan.rows }));
  }
  switch (target.kind) {
    case "none":
      return [];
    case "counts":
    case "aggregate-counts": {
      const question = countsQuestion(parameters, settings);
      return target.kind === "counts" ? [store.planCounts(question)] : store.planAggregates(question);
    }
    default:
      return [store.plan(rowsQuestion(target, parameters, settings))];
  }
}

/** The rows of a plan. */
export async function answerPlan(asking: Asking, plan: Plan): Promise<Response> {
  const { store, admission, event, parameters, settings, signal } = asking;
  const { pretty, includeTotal: withTotal } = parameters;
  const { gzip, patternMs } = settings;
  const open = async (): Promise<OpenedRows> => {
    const { rows, total } = await store.ask(plan, { signal, patternMs, withTotal });
    return { rows, headers: total === null ? {} : { "x-records": String(total) } };
  };
  return admission.answer(event, signal, open, { gzip, pretty });
}

/** What each step of some plans takes, in place of their answers. */
export async function explained({ store, signal, settings }: Asking, plans: readonly Plan[]): Promise<Response> {
  const { patternMs } = settings;
  const explanations = await Promise.all(plans.map(async (plan) => store.explain(plan, { signal, patternMs })));
  return jsonText(JSON.stringify(explanations));
}
