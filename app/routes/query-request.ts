import type { Explanation } from "#storage/query/explanation.ts";
import type { Queries } from "#storage/query/queries.ts";
import type { Plan } from "#storage/query/query.ts";
import type { HttpRequest } from "../http/request.ts";
import { acceptsGzip, wantsNewAnswer } from "../http/accept.ts";
import { type HttpResponse, jsonTextResponse } from "../http/response.ts";
import type { RowsOptions } from "../http/rows-response.ts";
import type { OpenedRows, QueryAdmission } from "../query/admission.ts";
import type { QueryParameters } from "../query/parameters.ts";
import { countsSpec, rowsSpec, type Target } from "../query/query-spec.ts";
import type { Answers } from "../query/answers.ts";
import type { LargeReading } from "../query/query-worker.ts";
import type { QuerySettings } from "../query/settings.ts";
import type { QueryWatch } from "../query/watch.ts";

/** A query whose parameters have been read. */
export interface QueryRequest {
  /** The queries of the state that the request names. */
  readonly queries: Queries;
  readonly admission: QueryAdmission;
  readonly request: HttpRequest;
  readonly parameters: QueryParameters;
  /** The result of reading on another thread, if the query is large. */
  readonly large: LargeReading | undefined;
  readonly settings: QuerySettings;
  /** Aborts when the client disconnects, or the time limit of the query is up. */
  readonly signal: AbortSignal;
  readonly watch: QueryWatch;
  /** The cache of answers of the state that the request names; undefined: there is none. */
  readonly answers: Answers | undefined;
}

/** Plans a query: several plans for aggregates, none where the route needs no rows. */
export function plansFor({ queries, parameters, large, settings }: QueryRequest, target: Target): Plan[] {
  if (large !== undefined) {
    return large.plans.map((plan) => ({ rows: plan.rows, total: () => plan.total ?? plan.rows }));
  }
  switch (target.kind) {
    case "none":
      return [];
    case "counts":
    case "aggregate-counts": {
      const spec = countsSpec(parameters, settings);
      return target.kind === "counts" ? [queries.planCounts(spec)] : queries.planAggregates(spec);
    }
    default:
      return [queries.plan(rowsSpec(target, parameters, settings))];
  }
}

/** Answers with the rows of a plan, or with an earlier answer where nothing that the plan reads has changed since. */
export async function answerPlan(query: QueryRequest, plan: Plan): Promise<HttpResponse> {
  const { queries, request, parameters, settings, answers } = query;
  if (answers === undefined || query.large !== undefined) return answerFromStore(query, plan);
  const { pretty, includeTotal } = parameters;
  // Before anything is read.
  const { key: statement, version } = queries.identityOf(plan);
  const state = { key: `query ${pretty} ${includeTotal} ${statement}`, version };
  const cached = wantsNewAnswer(request.message) ? undefined : answers.find(state);
  if (cached === undefined) return answerFromStore(query, plan, answers.recording(state));
  const { headers } = cached;
  if (!settings.gzip || !acceptsGzip(request.message)) return { status: 200, headers, body: answers.body(cached) };
  return { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: await answers.zipped(cached) };
}

async function answerFromStore(query: QueryRequest, plan: Plan, record?: RowsOptions["record"]): Promise<HttpResponse> {
  const { queries, admission, request, parameters, settings, signal } = query;
  const { pretty, includeTotal: withTotal } = parameters;
  const { gzip, patternMs } = settings;
  const open = async (beforeLong?: () => void): Promise<OpenedRows> => {
    const how = {
      signal,
      patternMs,
      withTotal,
      inPieces: true,
      ...(beforeLong === undefined ? {} : { beforeLong }),
    };
    const { rows, total } = await queries.run(plan, how);
    return { rows, headers: total === null ? {} : { "x-records": String(total) } };
  };
  return admission.inTurn([plan.rows], signal, async () => {
    return admission.answer(request, signal, open, { gzip, pretty, ...(record === undefined ? {} : { record }) });
  });
}

/** Answers with what each step of the plans takes, in place of rows. */
export async function answerExplanation(
  { queries, admission, signal, settings }: QueryRequest,
  plans: readonly Plan[],
): Promise<HttpResponse> {
  const { patternMs } = settings;
  const explain = async (plan: Plan): Promise<Explanation> => queries.explain(plan, { signal, patternMs });
  const statements = plans.map(({ rows }) => rows);
  const explanations = await admission.inTurn(statements, signal, async () => {
    return admission.run(signal, () => Promise.all(plans.map(explain)));
  });
  return jsonTextResponse(JSON.stringify(explanations));
}
