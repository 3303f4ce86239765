import type { H3Event } from "h3";
import { clipped } from "#storage/clip.ts";
import { CensusError } from "#storage/errors.ts";
import { parseJson } from "#storage/json.ts";
import type { ParentKind } from "#storage/query/parents.ts";
import { asResponse, jsonText, notFound, prettyAnswer, textAnswer } from "../http/answers.ts";
import { pretty } from "../http/pretty.ts";
import { nodeRequest, nodeResponse, rawTarget, requestSignal } from "../http/request.ts";
import { refuseMedia } from "../http/negotiation.ts";
import type { QueryAdmission } from "../query/admission.ts";
import { errorOf } from "../query/large-question.ts";
import { checkedAst, questionOf, type Target, textOf } from "../query/question.ts";
import { type ReadingContext, readRequest } from "../query/read.ts";
import { timeLimit } from "../query/settings.ts";
import { type QueryEntry, QueryWatch } from "../query/watch.ts";
import { answerPlan, type Asking, explained, plansFor } from "./asking.ts";
import { answerCounts } from "./counts.ts";
import { compilePath, matchPath } from "./match.ts";
import { type QueryRoute, queryRoutes } from "./query-routes.ts";

/** Where the query API is mounted. */
export const queryRoot = "/pdb/query/v4";

/** What the query routes work with. */
export interface QueryContext extends ReadingContext {
  readonly admission: QueryAdmission;
  /** Notified of queries that are over, as the settings want it. */
  readonly onQuery: ((entry: QueryEntry) => void) | undefined;
}

const compiled = queryRoutes.map((route) => ({ route, pattern: compilePath(route.path) }));

/** Answers whatever is asked below `/pdb/query`. */
export async function answerQuery(context: QueryContext, event: H3Event): Promise<Response> {
  const { path } = rawTarget(event);
  const request = nodeRequest(event);
  const retired = /^\/pdb\/query\/(v[1-3])(?:\/|$)/.exec(path);
  if (retired !== null) return textAnswer(`The ${retired[1]} API has been retired; please use v4`, 404);
  const refusal = refuseMedia(request, path);
  if (refusal !== undefined) return asResponse(refusal);
  const found = path.startsWith(queryRoot) ? findRoute(path.slice(queryRoot.length)) : undefined;
  if (found === undefined) return notFound();
  const { route, segments } = found;
  const isGet = request.method === "GET";
  // Routes without a query answer any method (`reference/query.md §2`).
  if (route.rules.query !== "refused" && !isGet && request.method !== "POST") {
    return textAnswer("Census queries must be made via GET/POST");
  }
  try {
    return await answerRoute(context, event, route, segments);
  } catch (error) {
    if (error instanceof CensusError && error.code === "bad-input") return textAnswer(clipped(error.message));
    if (error instanceof CensusError && error.code === "timeout") return textAnswer(clipped(error.message), 500);
    throw error;
  }
}

function findRoute(path: string): { route: QueryRoute; segments: Record<string, string> } | undefined {
  for (const { route, pattern } of compiled) {
    const segments = matchPath(pattern, path);
    if (segments !== undefined) return { route, segments };
  }
  return undefined;
}

async function answerRoute(
  context: QueryContext,
  event: H3Event,
  route: QueryRoute,
  segments: Record<string, string>,
): Promise<Response> {
  const { store, settings, admission, onQuery } = context;
  const { parent } = route;
  const missing = async (): Promise<Response | undefined> => {
    if (parent === undefined) return undefined;
    const id = segments[parent.segment] ?? "";
    return (await store.knows(parent.kind, id)) ? undefined : unknown(parent.kind, id);
  };
  if (parent?.first === true) {
    const answer = await missing();
    if (answer !== undefined) return answer;
  }
  const target = targetOf(route, segments);
  const { parameters, large } = await readRequest(event, route.rules, target, context);
  if (parent?.first === false) {
    const answer = await missing();
    if (answer !== undefined) return answer;
  }
  const { origin } = parameters;
  const timeout = timeLimit(parameters, settings);
  const from = origin === undefined ? "Query" : `Query from "${origin}"`;
  const signal = requestSignal(event, timeout, `${from} exceeded timeout of ${timeout} s`);
  const { path } = rawTarget(event);
  const text = (): string | undefined => large?.text ?? textOf(parameters);
  const watch = new QueryWatch(nodeResponse(event), settings, { text, path, origin }, onQuery);
  if (large?.mistake !== undefined) throw errorOf(large.mistake);
  const asking: Asking = { store, admission, event, parameters, large, settings, signal, watch };
  switch (route.kind) {
    case "document":
      return jsonText((await store.reportDocument(segments["hash"] ?? "", route.part)) ?? "null");
    case "counts":
    case "aggregate-counts":
      return answerCounts(asking, route);
    case "single":
      return answerSingle(asking, route, segments);
    default:
      if (!parameters.astOnly) return answerRows(asking, target);
      return large?.ast === undefined
        ? prettyAnswer(checkedAst(parameters, (question) => store.plan(question)))
        : jsonText(large.ast);
  }
}

/** What the parameters of a route are for. */
function targetOf(route: QueryRoute, segments: Record<string, string>): Target {
  switch (route.kind) {
    case "root":
    case "counts":
    case "aggregate-counts":
      return { kind: route.kind };
    case "list": {
      const { entity, activeOnly, defaultOrder } = route;
      const of = { entity, activeOnly, restrictions: restrict(route.restrict, segments) };
      return { kind: "list", of, ...(defaultOrder === undefined ? {} : { defaultOrder }) };
    }
    default:
      return { kind: "none" };
  }
}

function restrict(fields: Readonly<Record<string, string>>, segments: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, segment]) => [field, segments[segment] ?? ""]));
}

async function answerRows(asking: Asking, target: Target): Promise<Response> {
  const { parameters, watch } = asking;
  const [plan] = plansFor(asking, target).map((each) => watch.note(each));
  if (plan === undefined) throw new Error("a route of rows has a plan");
  return parameters.explain ? explained(asking, [plan]) : answerPlan(asking, plan);
}

/** One object; the request's query and paging are read but ignored. */
async function answerSingle(
  asking: Asking,
  route: Extract<QueryRoute, { kind: "single" }>,
  segments: Record<string, string>,
): Promise<Response> {
  const { store, admission, parameters, settings, signal, watch } = asking;
  const { options } = questionOf(parameters, settings);
  const restrictions = restrict(route.restrict, segments);
  const of = { entity: route.entity, activeOnly: false, restrictions };
  const plan = watch.note(store.plan({ of, ...(options ? { options } : {}) }));
  const [row] = await admission.run(signal, async () => {
    const texts: string[] = [];
    // To the end: leaving early would interrupt the engine and cost a connection.
    for await (const rows of (await store.ask(plan, { signal })).rows) texts.push(...rows.texts());
    return texts;
  });
  return row === undefined ? unknown(route.what, Object.values(segments)[0] ?? "") : jsonText(pretty(parseJson(row)));
}

function unknown(kind: ParentKind, id: string): Response {
  return prettyAnswer({ error: `No information is known about ${kind} ${id}` }, 404);
}
