import type { H3Event } from "h3";
import { CensusError } from "#storage/errors.ts";
import { astOf, type Question } from "#storage/query/query.ts";
import { fromForm } from "#storage/query/ast/paging.ts";
import { QueryError } from "#storage/query/errors.ts";
import { parseJson, stringifyJson } from "#storage/json.ts";
import type { ParentKind, Store } from "#storage/store.ts";
import { asResponse, jsonText, notFound, prettyAnswer, rowsAnswer, textAnswer } from "../http/answers.ts";
import { pretty } from "../http/pretty.ts";
import { nodeRequest, nodeResponse, rawTarget, readBody, requestSignal } from "../http/request.ts";
import { refuseMedia } from "../http/negotiation.ts";
import { formPairs } from "../query/form-pairs.ts";
import { type QueryParameters, readParameters } from "../query/parameters.ts";
import { type AskedBefore, oncePer } from "../query/asked-before.ts";
import { type QuerySettings, timeLimit } from "../query/settings.ts";
import { type QueryEntry, QueryWatch } from "../query/watch.ts";
import { type Asking, explained } from "./asking.ts";
import { answerCounts } from "./counts.ts";
import { compilePath, matchPath } from "./match.ts";
import { type QueryRoute, queryRoutes } from "./query-routes.ts";

/** Where the query API is mounted. */
export const queryRoot = "/pdb/query/v4";

/** What the query routes work with. */
export interface QueryContext {
  readonly store: Store;
  readonly settings: QuerySettings;
  /** Told of queries that are over, as the settings want it. */
  readonly onQuery: ((entry: QueryEntry) => void) | undefined;
  /** The parameters of GET requests. */
  readonly askedBefore: AskedBefore<QueryParameters>;
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
    if (error instanceof CensusError && error.code === "bad-input") return textAnswer(error.message);
    if (error instanceof CensusError && error.code === "timeout") return textAnswer(error.message, 500);
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
  const { store, settings, onQuery } = context;
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
  const parameters = await parametersOf(event, route, context);
  if (parent?.first === false) {
    const answer = await missing();
    if (answer !== undefined) return answer;
  }
  const { origin } = parameters;
  const timeout = timeLimit(parameters, settings);
  const from = origin === undefined ? "Query" : `Query from "${origin}"`;
  const signal = requestSignal(event, timeout, `${from} exceeded timeout of ${timeout} s`);
  const { path } = rawTarget(event);
  const watch = new QueryWatch(nodeResponse(event), settings, { query: textOf(parameters), path, origin }, onQuery);
  const asking: Asking = { store, event, parameters, settings, signal, watch };
  switch (route.kind) {
    case "document":
      return jsonText((await store.reportDocument(segments["hash"] ?? "", route.part)) ?? "null");
    case "counts":
    case "aggregate-counts":
      return answerCounts(asking, route);
    case "single":
      return answerSingle(asking, route, segments);
    case "root":
      if (parameters.astOnly) return prettyAnswer(checkedAst(store, parameters));
      return answerRows(
        asking,
        oncePer(questions, parameters, () => ({ of: "root", ...questionOf(asking) })),
      );
    case "list": {
      const listed = (): Question => {
        const question = questionOf(asking);
        const { entity, activeOnly, defaultOrder } = route;
        const usual = defaultOrder === undefined ? [] : [{ field: defaultOrder, descending: false }];
        const of = { entity, activeOnly, restrictions: restrict(route.restrict, segments) };
        return { of, ...question, orderBy: question.orderBy ?? usual };
      };
      return answerRows(asking, oncePer(questions, parameters, listed));
    }
  }
}

async function parametersOf(
  event: H3Event,
  route: QueryRoute,
  { settings: { pretty, bodyMaxSize }, askedBefore }: QueryContext,
): Promise<QueryParameters> {
  const { method, headers } = nodeRequest(event);
  const body = (): Promise<string> => readBody(event, bodyMaxSize);
  if (method === "POST") return readParameters(route.rules, { method: "POST", body: await body() }, { pretty });
  const params = (): ReturnType<typeof formPairs> => formPairs(rawTarget(event).search);
  // puppetdb-ruby sends a GET whose form-encoded body carries the query.
  if (headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true) {
    return readParameters(route.rules, { method: "GET", params: params(), form: formPairs(await body()) }, { pretty });
  }
  const read = (): QueryParameters => readParameters(route.rules, { method: "GET", params: params() }, { pretty });
  return askedBefore.get(nodeRequest(event).url ?? "", read);
}

/** The query as it was asked, for the log. */
function textOf({ pql, query }: QueryParameters): string | undefined {
  return pql ?? (query === undefined ? undefined : stringifyJson(query));
}

/** Questions by the parameters that they were made of: a store has its plan ready for one that it has seen. */
const questions = new WeakMap<QueryParameters, Question>();

function questionOf({ parameters, settings }: Asking): Omit<Question, "of"> {
  const { query, pql, orderBy, limit, offset, distinct, includeFactsExpiration, includePackageInventory } = parameters;
  return {
    ...(query === undefined ? {} : { query }),
    ...(pql === undefined ? {} : { pql }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(distinct === undefined ? {} : { distinct }),
    options: { includeFactsExpiration, includePackageInventory, everyReportType: !settings.agentReportsOnly },
  };
}

function restrict(fields: Readonly<Record<string, string>>, segments: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, segment]) => [field, segments[segment] ?? ""]));
}

async function answerRows(asking: Asking, question: Question): Promise<Response> {
  const { store, event, parameters, settings, signal, watch } = asking;
  const plan = watch.note(store.plan(question));
  if (parameters.explain) return explained(asking, [plan]);
  const answer = await store.ask(plan, { signal, withTotal: parameters.includeTotal });
  return rowsAnswer(event, answer.rows, {
    gzip: settings.gzip,
    pretty: parameters.pretty,
    headers: answer.total === null ? {} : { "x-records": String(answer.total) },
  });
}

/** One object; the request's query and paging are read but ignored. */
async function answerSingle(
  asking: Asking,
  route: Extract<QueryRoute, { kind: "single" }>,
  segments: Record<string, string>,
): Promise<Response> {
  const { store, signal, watch } = asking;
  const { options } = questionOf(asking);
  const restrictions = restrict(route.restrict, segments);
  const of = { entity: route.entity, activeOnly: false, restrictions };
  const plan = watch.note(store.plan({ of, ...(options ? { options } : {}) }));
  const texts: string[] = [];
  // To the end: leaving early would interrupt the engine and cost a connection.
  for await (const rows of (await store.ask(plan, { signal })).rows) texts.push(...rows.texts());
  const [row] = texts;
  return row === undefined ? unknown(route.what, Object.values(segments)[0] ?? "") : jsonText(pretty(parseJson(row)));
}

/** The AST of a query that would be answered. */
function checkedAst(store: Store, parameters: QueryParameters): unknown {
  const ast = astOf(parameters);
  if (ast === undefined) throw new QueryError(fromForm);
  store.plan({ of: "root", query: ast });
  return ast;
}

function unknown(kind: ParentKind, id: string): Response {
  return prettyAnswer({ error: `No information is known about ${kind} ${id}` }, 404);
}
