import { clipped } from "#storage/clip.ts";
import type { Rows } from "#storage/engine/rows.ts";
import { CensusError } from "#storage/errors.ts";
import type { ParentKind } from "#storage/query/parents.ts";
import type { Queries } from "#storage/query/queries.ts";
import type { EntityTarget } from "#storage/query/query.ts";
import type { ExplorerSettings } from "../explorer/settings.ts";
import { namesBrowserPages } from "../http/accept.ts";
import { mediaRefusal } from "../http/negotiation.ts";
import { prettyDocument } from "../http/pretty-pieces.ts";
import { type HttpRequest, requestSignal } from "../http/request.ts";
import {
  type HttpResponse,
  jsonTextResponse,
  notFound,
  prettyJsonResponse,
  redirect,
  textResponse,
} from "../http/response.ts";
import type { Fallback, Route, RouteTable } from "../http/route.ts";
import { queryOperations } from "../openapi/query-operations.ts";
import type { OpenedRows, QueryAdmission } from "../query/admission.ts";
import { errorOf } from "../query/large-query.ts";
import { waitForPosition, withPosition } from "../query/log-position.ts";
import { checkedAst, specOf, queryText, type Target } from "../query/query-spec.ts";
import { type ReadingContext, type ReadRequest, readRequest } from "../query/read.ts";
import type { Answers } from "../query/answers.ts";
import { timeLimit } from "../query/settings.ts";
import { type QueryEntry, QueryWatch } from "../query/watch.ts";
import { workbenchAddress } from "../query/workbench-address.ts";
import { answerCounts } from "./counts.ts";
import { answerExplanation, answerPlan, plansFor, type QueryRequest } from "./query-request.ts";
import { type Parent, type QueryRoute, queryRoot, queryRoutes as table } from "./query-table.ts";

/** What queries are answered with. */
export interface QueryServices {
  readonly queries: QueryContext;
}

/** The store, the settings of queries, and what bounds them. */
export interface QueryContext extends ReadingContext {
  readonly admission: QueryAdmission;
  readonly answers: Answers;
  /** Called when a query is over, as the settings say. */
  readonly onQuery: ((entry: QueryEntry) => void) | undefined;
}

/** Queries, and whether there is a workbench to show them in. */
interface BrowsedServices extends QueryServices {
  readonly explorer: { readonly settings: ExplorerSettings };
}

/** `/pdb/query/v4/**`: a route for each row of the table. */
export const queryRoutes: RouteTable<BrowsedServices> = {
  routes: table.map(routeOf),
  fallbacks: [missingBelow("/pdb/query"), missingBelow(queryRoot)],
};

function routeOf(row: QueryRoute): Route<BrowsedServices> {
  const hasQuery = row.rules.query !== "refused";
  const [entity = ""] = row.path.split("/");
  return {
    path: pathOf(row),
    // Routes without a query accept any method (`reference/query.md §2`).
    methods: hasQuery ? ["GET", "POST"] : "any",
    refuseMethod: ({ message, path }) =>
      mediaRefusal(message, path) ?? textResponse("Census queries must be made via GET/POST"),
    family: "query",
    metered: entity === "" ? queryRoot : `${queryRoot}/${entity}`,
    describe: () => queryOperations(row),
    handle: ({ queries, explorer }, request) => {
      const refusal = mediaRefusal(request.message, request.path);
      if (refusal === undefined) return answerReadably(queries, request, row);
      return explorer.settings.enabled && isBrowser(request) ? redirect(pageOf(row, request), varyByAccept) : refusal;
    },
  };
}

const varyByAccept = { vary: "Accept" } as const;

/** Whether somebody opened the URL in a browser. Others get what PuppetDB answers. */
function isBrowser({ message }: HttpRequest): boolean {
  return message.method === "GET" && namesBrowserPages(message);
}

/** Where the explorer shows what a URL queries: mostly in its workbench. Of counted events, the events. */
function pageOf(row: QueryRoute, { segments, search }: HttpRequest): string {
  switch (row.kind) {
    case "root":
      return workbenchAddress("root", search);
    case "document":
      return `/explorer/reports/${encodeURIComponent(segments["hash"] ?? "")}`;
    case "counts":
    case "aggregate-counts":
      return workbenchAddress({ entity: "events", activeOnly: false }, search);
    default:
      return workbenchAddress(entityOf(row, segments), search);
  }
}

/** Hashes match other characters than names do, as do names of nodes that PuppetDB matches as hashes; these may have any here. */
function pathOf({ path }: QueryRoute): string {
  return `${queryRoot}${path === "" ? "" : `/${path}`}`
    .replaceAll(":hash", String.raw`:hash([A-Za-z0-9\-_.]+)`)
    .replaceAll(":certname", ":certname([^/]+)");
}

/** The 404 below a path; versions of the API that no longer exist have a text of their own. */
function missingBelow(below: string): Fallback<QueryServices> {
  return {
    below,
    methods: "any",
    family: "query",
    metered: below,
    handle: (_, { message, path }) => {
      const retired = /^\/pdb\/query\/(v[1-3])(?:\/|$)/.exec(path);
      if (retired !== null) return textResponse(`The ${retired[1]} API has been retired; please use v4`, 404);
      return path === "/pdb/query" ? notFound() : (mediaRefusal(message, path) ?? notFound());
    },
  };
}

/** Answers errors of queries in plain text. */
async function answerReadably(context: QueryContext, request: HttpRequest, row: QueryRoute): Promise<HttpResponse> {
  try {
    const { store } = context;
    await waitForPosition(store, request);
    // The answer may include more.
    const position = store.followed?.position;
    return withPosition(store, await answerRoute(context, request, row), position);
  } catch (error) {
    if (error instanceof CensusError && error.code === "bad-input") return textResponse(clipped(error.message));
    if (error instanceof CensusError && error.code === "timeout") return textResponse(clipped(error.message), 500);
    throw error;
  }
}

async function answerRoute(context: QueryContext, request: HttpRequest, route: QueryRoute): Promise<HttpResponse> {
  const { store, settings, admission, answers, onQuery } = context;
  const { segments, path, response } = request;
  const { parents = [] } = route;
  const missing = async (queries: Queries, of: readonly Parent[]): Promise<HttpResponse | undefined> => {
    for (const { kind, segment } of of) {
      const id = segments[segment] ?? "";
      if (!(await queries.exists(kind, id))) return unknown(kind, id);
    }
    return undefined;
  };
  const target = queryTarget(route, segments);
  const read = async (): Promise<ReadRequest> => readRequest(request, route.rules, target, context);
  let early: ReadRequest | undefined;
  const { true: first = [], false: later = [] } = Object.groupBy(parents, (parent) => `${parent.first}`);
  const absentFirst = await missing(store.queries, first);
  if (absentFirst !== undefined) {
    // What is absent now may have been there at the time that the request names.
    early = await read().catch(() => undefined);
    if (early?.parameters.asOf === undefined) return absentFirst;
  }
  const { parameters, large } = early ?? (await read());
  const queries = await store.queriesAt(parameters.asOf);
  const absent = await missing(queries, parameters.asOf === undefined ? later : parents);
  if (absent !== undefined) return absent;
  const { origin } = parameters;
  const timeout = timeLimit(parameters, settings);
  const from = origin === undefined ? "Query" : `Query from "${origin}"`;
  const signal = requestSignal(request, timeout, `${from} exceeded timeout of ${timeout} s`);
  const text = (): string | undefined => large?.text ?? queryText(parameters);
  const watch = new QueryWatch(response, settings, { text, path, origin }, onQuery);
  if (large?.mistake !== undefined) throw errorOf(large.mistake);
  const query: QueryRequest = {
    queries,
    admission,
    request,
    parameters,
    large,
    settings,
    signal,
    watch,
    answers: parameters.asOf === undefined ? answers : undefined,
  };
  switch (route.kind) {
    case "document":
      return jsonTextResponse((await queries.reportDocument(segments["hash"] ?? "", route.part)) ?? "null");
    case "counts":
    case "aggregate-counts":
      return answerCounts(query, route);
    case "single":
      return answerSingle(query, route);
    default:
      if (!parameters.astOnly) return answerRows(query, target);
      return large?.ast === undefined
        ? prettyJsonResponse(checkedAst(parameters, (spec) => queries.plan(spec)))
        : jsonTextResponse(large.ast);
  }
}

/** Makes a query of a request. */
function queryTarget(route: QueryRoute, segments: HttpRequest["segments"]): Target {
  switch (route.kind) {
    case "root":
    case "counts":
    case "aggregate-counts":
      return { kind: route.kind };
    case "list": {
      const { defaultOrder } = route;
      const of = entityOf(route, segments);
      return { kind: "list", of, ...(defaultOrder === undefined ? {} : { defaultOrder }) };
    }
    default:
      return { kind: "none" };
  }
}

/** The rows that a path selects. */
function entityOf(
  route: Extract<QueryRoute, { kind: "list" | "single" }>,
  segments: HttpRequest["segments"],
): EntityTarget {
  const fixed = Object.entries(route.restrict).map(([field, segment]) => [field, segments[segment] ?? ""]);
  return {
    entity: route.entity,
    activeOnly: route.kind === "list" && route.activeOnly,
    restrictions: Object.fromEntries(fixed) as Record<string, string>,
  };
}

async function answerRows(query: QueryRequest, target: Target): Promise<HttpResponse> {
  const { parameters, watch } = query;
  const [plan] = plansFor(query, target).map((each) => watch.note(each));
  if (plan === undefined) throw new Error("a route of rows has a plan");
  return parameters.explain ? answerExplanation(query, [plan]) : answerPlan(query, plan);
}

/** Answers with one object, indented; the query and paging of the request are checked but have no effect. */
async function answerSingle(
  query: QueryRequest,
  route: Extract<QueryRoute, { kind: "single" }>,
): Promise<HttpResponse> {
  const { queries, admission, request, parameters, settings, signal, watch } = query;
  const { segments } = request;
  const { options } = specOf(parameters, settings);
  const of = entityOf(route, segments);
  const plan = watch.note(queries.plan({ of, ...(options ? { options } : {}) }));
  const open = async (): Promise<OpenedRows> => {
    const { rows } = await queries.run(plan, { signal, inPieces: true });
    return { rows: atLeastOne(rows) };
  };
  try {
    return await admission.answer(request, signal, open, { gzip: false, pieces: prettyDocument });
  } catch (error) {
    if (error instanceof NoRow) return unknown(route.what, Object.values(segments)[0] ?? "");
    throw error;
  }
}

class NoRow extends Error {}

/** @throws NoRow */
async function* atLeastOne(batches: AsyncIterable<Rows>): AsyncGenerator<Rows> {
  let isEmpty = true;
  for await (const rows of batches) {
    isEmpty = false;
    yield rows;
  }
  if (isEmpty) throw new NoRow();
}

function unknown(kind: ParentKind, id: string): HttpResponse {
  return prettyJsonResponse({ error: `No information is known about ${kind} ${id}` }, 404);
}
