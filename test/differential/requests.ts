/** Requests made of queries, of the routes and their parameters, and of requests that were recorded. */
import { Random } from "#fixtures/random.ts";
import { queryRoutes } from "#app/routes/query-table.ts";
import { isPagingClause } from "#storage/query/ast/paging.ts";
import { type Json, parseJson, stringifyJson } from "#storage/json.ts";
import { isPaged } from "../conformance/observed-rules.ts";
import type { RecordedRequest } from "../conformance/recording.ts";
import { type Parameter, targetOf } from "../hostile/attack.ts";
import { mutatedAst, mutatedPql } from "./mutations.ts";
import { pqlText } from "./pql-text.ts";
import { compared, fieldQueries, type KnownValues, randomQueries } from "./queries.ts";

const ROOT = "/pdb/query/v4";

/** How requests are made. */
export const kinds = {
  ast: "random queries in AST at the root, three in ten with an error or two",
  pql: "the same in PQL",
  routes: "requests of all routes with their parameters",
  recorded: "recorded requests with changes",
  fields: "each operator with each kind of operand for each field, not at random",
} as const;

export type Kind = keyof typeof kinds;

/** A request, and how much of its answers can be compared. */
export interface ComparedRequest {
  readonly request: RecordedRequest;
  /** The same, to be read. */
  readonly text: string;
  /** With a limit or offset without a total order, which rows are returned is not defined: only their number is compared. */
  readonly mode: "set" | "count";
}

/** A GET request of some parameters. */
export function getRequest(path: string, parameters: readonly Parameter[]): ComparedRequest {
  const line = { method: "GET", path, params: Object.fromEntries(parameters) };
  return {
    request: { method: "GET", path: targetOf({ path, parameters }), headers: {} },
    text: [path, ...parameters.map(([name, value]) => `  ${name}=${value}`)].join(" "),
    mode: isPaged(line) ? "count" : "set",
  };
}

/** The request of a query at the root of the API. @param query a text is PQL */
export function rootRequest(query: Json): ComparedRequest {
  return getRequest(ROOT, [["query", typeof query === "string" ? query : stringifyJson(query)]]);
}

export interface RequestSources {
  readonly values: KnownValues;
  readonly recorded: readonly RecordedRequest[];
}

/** Requests of a kind; random ones are the same for the same seed. */
export function requestsOf(
  kind: Kind,
  { values, recorded }: RequestSources,
  { seed, count }: { readonly seed: number; readonly count: number },
): ComparedRequest[] {
  const random = new Random(seed);
  switch (kind) {
    case "fields":
      return fieldQueries(values).map(rootRequest);
    case "routes":
      return Array.from({ length: count }, () => routeRequest(values, random));
    case "recorded":
      return changedRecordings(recorded, random, count);
    case "ast":
      return randomQueries(values, seed, count).map((ast) =>
        rootRequest(random.chance(ERRONEOUS) ? mutatedAst(ast, random) : ast),
      );
    case "pql":
      return randomQueries(values, seed, count).flatMap((ast) => {
        const text = pqlText(ast, random);
        return text === undefined ? [] : [rootRequest(random.chance(ERRONEOUS) ? mutatedPql(text, random) : text)];
      });
  }
}

/** The share of queries with changes that may make them invalid. */
const ERRONEOUS = 0.3;

/** Recorded requests with changes of their queries and parameters. */
function changedRecordings(recorded: readonly RecordedRequest[], random: Random, count: number): ComparedRequest[] {
  const sources = recorded.filter(({ method, path }) => method === "GET" && path.startsWith(ROOT));
  if (sources.length === 0) return [];
  return Array.from({ length: count }, () => {
    const { path: target } = random.pick(sources);
    const url = new URL(target, "http://localhost");
    const path = target.split("?")[0] ?? "";
    let parameters: Parameter[] = [...url.searchParams];
    const query = parameters.find(([name]) => name === "query")?.[1];
    if (query !== undefined && random.chance(0.85)) {
      const changed = mutatedQuery(query, random);
      parameters = parameters.map(([name, value]) => [name, name === "query" ? changed : value]);
    }
    if (random.chance(query === undefined ? 0.8 : 0.25)) parameters = mutatedParameters(parameters, random);
    const isMoved = query?.trimStart().startsWith("[") === true && path !== ROOT && random.chance(0.1);
    return getRequest(isMoved ? `${ROOT}/${random.pick(lists)}` : path, parameters);
  });
}

const lists = [
  "nodes",
  "facts",
  "resources",
  "reports",
  "events",
  "factsets",
  "inventory",
  "edges",
  "fact-contents",
  "catalogs",
];

function mutatedQuery(query: string, random: Random): string {
  const ast = astOf(query);
  return Array.isArray(ast) ? stringifyJson(mutatedAst(ast, random)) : mutatedPql(query, random);
}

function astOf(text: string): Json | undefined {
  try {
    return text.trimStart().startsWith("[") ? parseJson(text) : undefined;
  } catch {
    return undefined;
  }
}

const orders: readonly string[] = [
  "certname",
  "name",
  "value",
  "hash",
  "timestamp",
  "title",
  "type",
  "failures",
  "receive_time",
].flatMap((field) => [`[{"field":"${field}"}]`, `[{"field":"${field}","order":"desc"}]`]);

/** Parameters that lists have, right and wrong. */
const others: readonly Parameter[] = [
  ...["1", "3", "50", "0", "x", "-1", "1.5", ""].map((value): Parameter => ["limit", value]),
  ...["0", "1", "2", "-1", "x"].map((value): Parameter => ["offset", value]),
  ...["true", "false", "x"].map((value): Parameter => ["include_total", value]),
  ...[
    ...orders,
    "[]",
    "[{}]",
    "certname",
    '["certname"]',
    '[{"field":"nope"}]',
    '[{"field":"certname","order":"up"}]',
    "{}",
  ].map((value): Parameter => ["order_by", value]),
  ["pretty", "true"],
  ["nope", "1"],
  ["explain", "x"],
  ["origin", "x"],
  ["include_facts_expiration", "true"],
  ["summarize_by", "resource"],
  ["distinct_resources", "true"],
  ["ast_only", "true"],
];

function mutatedParameters(parameters: readonly Parameter[], random: Random): Parameter[] {
  const added = random.pick(others);
  const kept = parameters.filter(([name]) => name !== added[0]);
  return kept.length > 1 && random.chance(0.2) ? kept.slice(1) : [...kept, added];
}

/** Names that path segments may be replaced by, by the name of the segment. */
function segmentValues(values: KnownValues): Record<string, readonly Json[]> {
  return {
    node: values("nodes", "certname"),
    fact: values("facts", "name"),
    name: values("facts", "name"),
    value: values("facts", "value").filter((value) => typeof value !== "object"),
    type: values("resources", "type"),
    title: values("resources", "title"),
    environment: values("environments", "name"),
    producer: values("producers", "name"),
    hash: values("reports", "hash"),
  };
}

/** A request of one of the routes, with parameters that it has and some that it has not. */
function routeRequest(values: KnownValues, random: Random): ComparedRequest {
  const route = random.pick(queryRoutes.filter(({ path }) => !path.startsWith("/") || path.startsWith(ROOT)));
  const known = segmentValues(values);
  const path = route.path.replaceAll(/:(\w+)/g, (_match, name: string) => {
    const value = random.chance(0.06)
      ? random.pick(["nope", "", "a%20b"])
      : random.pick([...(known[name] ?? []), "nope"]);
    return encodeURIComponent(typeof value === "string" ? value : stringifyJson(value));
  });
  const entity = "entity" in route ? route.entity : /event/.test(route.path) ? "events" : "nodes";
  const parameters: Parameter[] = [];
  if (random.chance(0.6)) {
    const entities = compared.filter(({ name }) => name === entity);
    const [query] = entities.length === 0 ? [] : randomQueries(values, random.integer(1, 2 ** 30), 1, entities);
    const [, , condition] = Array.isArray(query) ? query : [];
    const isAlone = Array.isArray(condition) && !isPagingClause(condition);
    if (isAlone)
      parameters.push(["query", stringifyJson(random.chance(0.2) ? mutatedAst(condition, random) : condition)]);
  }
  if (route.kind === "counts" || route.kind === "aggregate-counts") parameters.push(...countParameters(random));
  if ((route.rules.distinct ?? false) && random.chance(0.3)) parameters.push(...distinctParameters(random));
  return getRequest(`${ROOT}/${path}`, random.chance(0.4) ? mutatedParameters(parameters, random) : parameters);
}

function countParameters(random: Random): Parameter[] {
  const filter = [
    random.pick(["=", ">", "<", ">=", "<=", "~"]),
    random.pick(["failures", "successes", "noops", "skips", "nope"]),
    random.pick([0, 1, 5, "0", null, 1.5]),
  ];
  const filters = [filter, filter, filter, ["and", filter], ["not", filter], [], ["="], [">", "failures"]];
  const parameters: (Parameter | undefined)[] = [
    random.chance(0.95)
      ? [
          "summarize_by",
          random.pick([
            "certname",
            "resource",
            "containing_class",
            "resource",
            "certname,resource",
            "nope",
            " resource",
          ]),
        ]
      : undefined,
    random.chance(0.3) ? ["count_by", random.pick(["certname", "resource", "nope"])] : undefined,
    random.chance(0.4) ? ["counts_filter", JSON.stringify(random.pick(filters))] : undefined,
    random.chance(0.2)
      ? [
          "order_by",
          random.pick([
            '[{"field":"failures"}]',
            '[{"field":"certname"}]',
            '[{"field":"resource_title","order":"desc"}]',
            '[{"field":"successes","order":"asc"}]',
          ]),
        ]
      : undefined,
  ];
  return parameters.filter((parameter) => parameter !== undefined);
}

function distinctParameters(random: Random): Parameter[] {
  const all: Parameter[] = [
    ["distinct_resources", random.pick(["true", "true", "false", "x"])],
    ["distinct_start_time", random.pick(["2026-11-19T00:00:00Z", "2026-11-20T10:00:00Z", "x", "2026-11-18"])],
    ["distinct_end_time", random.pick(["2026-11-21T00:00:00Z", "2026-11-20T11:00:00Z"])],
  ];
  return random.chance(0.85) ? all : all.filter(() => random.chance(0.6));
}
