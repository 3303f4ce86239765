import type { Rows } from "#storage/engine/rows.ts";
import type { OpenedRows } from "../query/admission.ts";
import { answerPlan, type Asking, explained, plansFor } from "./asking.ts";
import type { CountsRoute } from "./query-routes.ts";

/** `/event-counts` and `/aggregate-event-counts`. */
export async function answerCounts(asking: Asking, route: CountsRoute): Promise<Response> {
  const { store, admission, event, parameters, settings, signal, watch } = asking;
  const { gzip, patternMs } = settings;
  const plans = plansFor(asking, { kind: route.kind }).map((plan) => watch.note(plan));
  if (parameters.explain) return explained(asking, plans);
  if (route.kind === "aggregate-counts") {
    const open = async (): Promise<OpenedRows> => {
      const answers = await Promise.all(plans.map(async (plan) => store.ask(plan, { signal, patternMs })));
      return { rows: concatenated(answers.map(({ rows }) => rows)) };
    };
    return admission.answer(event, signal, open, { gzip });
  }
  const [plan] = plans;
  if (plan === undefined) throw new Error("a route of counts has a plan");
  return answerPlan(asking, plan);
}

async function* concatenated(parts: readonly AsyncIterable<Rows>[]): AsyncGenerator<Rows> {
  for (const part of parts) yield* part;
}
