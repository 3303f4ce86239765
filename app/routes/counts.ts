import type { Rows } from "#storage/engine/rows.ts";
import type { CountsQuestion } from "#storage/query/counts.ts";
import { rowsAnswer } from "../http/answers.ts";
import { oncePer } from "../query/asked-before.ts";
import type { QueryParameters } from "../query/parameters.ts";
import { type Asking, explained } from "./asking.ts";
import type { CountsRoute } from "./query-routes.ts";

/** `/event-counts` and `/aggregate-event-counts`. */
export async function answerCounts(asking: Asking, route: CountsRoute): Promise<Response> {
  const { store, event, parameters, settings, signal, watch } = asking;
  const { gzip } = settings;
  const question = oncePer(questions, parameters, () => countsQuestion(parameters));
  if (route.kind === "aggregate-counts") {
    const plans = store.planAggregates(question).map((plan) => watch.note(plan));
    if (parameters.explain) return explained(asking, plans);
    const answers = await Promise.all(plans.map((plan) => store.ask(plan, { signal })));
    return rowsAnswer(event, concatenated(answers.map(({ rows }) => rows)), { gzip });
  }
  const plan = watch.note(store.planCounts(question));
  if (parameters.explain) return explained(asking, [plan]);
  const answer = await store.ask(plan, { signal, withTotal: parameters.includeTotal });
  return rowsAnswer(event, answer.rows, {
    gzip,
    pretty: parameters.pretty,
    headers: answer.total === null ? {} : { "x-records": String(answer.total) },
  });
}

/** Questions by the parameters that they were made of: a store has its plan ready for one that it has seen. */
const questions = new WeakMap<QueryParameters, CountsQuestion>();

function countsQuestion(parameters: QueryParameters): CountsQuestion {
  const { query, summarizeBy = "", countBy, countsFilter, distinct, orderBy, limit, offset } = parameters;
  return {
    summarizeBy,
    ...(query === undefined ? {} : { query }),
    ...(countBy === undefined ? {} : { countBy }),
    ...(countsFilter === undefined ? {} : { countsFilter }),
    ...(distinct === undefined ? {} : { distinct }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  };
}

async function* concatenated(parts: readonly AsyncIterable<Rows>[]): AsyncGenerator<Rows> {
  for (const part of parts) yield* part;
}
