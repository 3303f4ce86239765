import type { Rows } from "#storage/engine/rows.ts";
import type { HttpResponse } from "../http/response.ts";
import type { OpenedRows } from "../query/admission.ts";
import { answerExplanation, answerPlan, plansFor, type QueryRequest } from "./query-request.ts";
import type { CountsRoute } from "./query-table.ts";

/** Answers `/event-counts` and `/aggregate-event-counts`. */
export async function answerCounts(query: QueryRequest, route: CountsRoute): Promise<HttpResponse> {
  const { queries, admission, request, parameters, settings, signal, watch } = query;
  const { gzip, patternMs } = settings;
  const plans = plansFor(query, { kind: route.kind }).map((plan) => watch.note(plan));
  if (parameters.explain) return answerExplanation(query, plans);
  if (route.kind === "aggregate-counts") {
    const open = async (): Promise<OpenedRows> => {
      const answers = await Promise.all(plans.map(async (plan) => queries.run(plan, { signal, patternMs })));
      return { rows: concatenated(answers.map(({ rows }) => rows)) };
    };
    const statements = plans.map(({ rows }) => rows);
    return admission.inTurn(statements, signal, async () => admission.answer(request, signal, open, { gzip }));
  }
  const [plan] = plans;
  if (plan === undefined) throw new Error("a route of counts has a plan");
  return answerPlan(query, plan);
}

async function* concatenated(parts: readonly AsyncIterable<Rows>[]): AsyncGenerator<Rows> {
  for (const part of parts) yield* part;
}
