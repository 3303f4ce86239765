import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { inSetOrder } from "#storage/hash/tag-order.ts";
import { QueryError } from "#storage/query/errors.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import type { Json } from "#storage/json.ts";
import type { Timestamp } from "#storage/time.ts";
import { explain, limit, moment, offset, text, timeout, truth } from "./conversions.ts";
import { type DistinctResources, readDistinct } from "./distinct.ts";
import { type Given, type QueryRequest, givenParameters, kindOf } from "./given.ts";
import { type Ordering, parseOrderBy, readOrderBy } from "./order-by.ts";

/** The parameters of a request, besides its path. */
export interface QueryParameters {
  /** the query as an AST; absent means every row (at the root of a POST: no query was given) */
  readonly query?: Json;
  /**
   * the query as PQL text, which may be empty; only where {@link ParameterRules.pql} allows it, and then without
   * `query`
   */
  readonly pql?: string;
  /** never empty */
  readonly orderBy?: readonly Ordering[];
  /** rows, at least 1 */
  readonly limit?: bigint;
  /** rows to leave out, at least 0 */
  readonly offset?: bigint;
  readonly includeTotal: boolean;
  readonly pretty: boolean;
  readonly astOnly: boolean;
  readonly explain: boolean;
  /** a label for logs and timeouts */
  readonly origin?: string;
  /** seconds; 0 means no limit */
  readonly timeout?: number;
  readonly includeFactsExpiration: boolean;
  readonly includePackageInventory: boolean;
  /** the time whose state is queried; absent: the present one */
  readonly asOf?: Timestamp;
  /** present when `distinct_resources` is true */
  readonly distinct?: DistinctResources;
  /** as given, as are `countBy` and `countsFilter`: the route checks them */
  readonly summarizeBy?: string;
  readonly countBy?: string;
  readonly countsFilter?: Json;
}

/** The parameters that a route supports (`reference/query.md §2.1`), without those that every route supports. */
export interface ParameterRules {
  /** limit, offset, order_by, include_total */
  readonly paging: boolean;
  /** `required` applies to GET only; a route where it is `refused` ignores the body of a POST */
  readonly query: "optional" | "required" | "refused";
  /** a query that does not start with `[` is PQL; default: no */
  readonly pql?: boolean;
  /** ast_only; default: no */
  readonly astOnly?: boolean;
  /** pretty; default: yes */
  readonly pretty?: boolean;
  /** distinct_resources and its two times; default: no */
  readonly distinct?: boolean;
  /** count_by, counts_filter, and summarize_by, which is required; default: no */
  readonly counts?: boolean;
}

interface Parameter {
  readonly name: string;
  readonly taken: (rules: ParameterRules) => boolean;
  readonly required?: (rules: ParameterRules, method: QueryRequest["method"]) => boolean;
  /** parses a JSON text in the URL of a GET; done for every route and before any check of names */
  readonly parse?: (text: string) => Json;
  /** the value's meaning; absent: it is read elsewhere, or has none */
  readonly read?: (value: Json) => Partial<QueryParameters>;
}

const always = (): boolean => true;
const paging = (rules: ParameterRules): boolean => rules.paging;
const counts = (rules: ParameterRules): boolean => rules.counts === true;
const distinct = (rules: ParameterRules): boolean => rules.distinct === true;

/** Every parameter, in the order of conversion (`reference/query.md §1`). */
const PARAMETERS: readonly Parameter[] = [
  {
    name: "query",
    taken: (rules) => rules.query !== "refused",
    required: (rules, method) => rules.query === "required" && method === "GET",
  },
  {
    name: "ast_only",
    taken: (rules) => rules.astOnly === true,
    read: (value) => ({ astOnly: truth("ast_only", value) }),
  },
  { name: "order_by", taken: paging, parse: parseOrderBy, read: orderBy },
  { name: "limit", taken: paging, read: (value) => ({ limit: limit(value) }) },
  { name: "offset", taken: paging, read: (value) => ({ offset: offset(value) }) },
  { name: "include_total", taken: paging, read: (value) => ({ includeTotal: truth("include_total", value) }) },
  { name: "optimize_drop_unused_joins", taken: always },
  {
    name: "pretty",
    taken: (rules) => rules.pretty !== false,
    read: (value) => ({ pretty: truth("pretty", value) }),
  },
  { name: "explain", taken: always, read: (value) => ({ explain: explain(value) }) },
  {
    name: "include_facts_expiration",
    taken: always,
    read: (value) => ({ includeFactsExpiration: truth("include_facts_expiration", value) }),
  },
  {
    name: "include_package_inventory",
    taken: always,
    read: (value) => ({ includePackageInventory: truth("include_package_inventory", value) }),
  },
  { name: "as_of", taken: always, read: (value) => ({ asOf: moment("as_of", value) }) },
  { name: "distinct_resources", taken: distinct },
  { name: "distinct_start_time", taken: distinct },
  { name: "distinct_end_time", taken: distinct },
  { name: "timeout", taken: always, read: (value) => ({ timeout: timeout(value) }) },
  { name: "origin", taken: always, read: (value) => ({ origin: text("origin", value) }) },
  {
    name: "summarize_by",
    taken: counts,
    required: counts,
    read: (value) => ({ summarizeBy: text("summarize_by", value) }),
  },
  { name: "count_by", taken: counts, read: (value) => ({ countBy: text("count_by", value) }) },
  { name: "counts_filter", taken: counts, parse: parseQueryJson, read: (value) => ({ countsFilter: value }) },
];

const BY_NAME = new Map(PARAMETERS.map((parameter) => [parameter.name, parameter]));

/**
 * Reads the parameters of a request for rows, in PuppetDB's order of checks: the texts of `query`, `order_by` and
 * `counts_filter`, then missing names, then unknown names, then each value (`reference/query.md §1, §2.1`).
 * @param defaults the defaults of the request
 * @throws QueryError for the first error, with PuppetDB's text if there is one
 */
export function readParameters(
  rules: ParameterRules,
  request: QueryRequest,
  defaults: Partial<QueryParameters> = {},
): QueryParameters {
  const unread = rules.query === "refused" && request.method === "POST";
  const raw: Given = unread ? new Map() : givenParameters(request);
  const spec = rules.query === "refused" ? {} : readQuery(raw.get("query") ?? null, rules);
  try {
    return { ...NOTHING, ...defaults, ...readOthers(rules, request.method, raw, spec) };
  } catch (error) {
    // PuppetDB parses the query first. Whoever reads a valid request parses it later, or not at all.
    if (spec.pql !== undefined && spec.pql.length <= LONGEST_CHECKED) parsePql(spec.pql);
    throw error;
  }
}

/** Characters of a text whose syntax is checked before other errors are reported. */
const LONGEST_CHECKED = 10_000;

function readOthers(
  rules: ParameterRules,
  method: QueryRequest["method"],
  raw: Given,
  spec: Pick<QueryParameters, "query" | "pql">,
): Partial<QueryParameters> {
  const given = method === "GET" ? parseTexts(raw) : raw;
  checkNames(rules, method, given);
  checkQuery(spec.query);
  const present = new Map([...given].filter(([, value]) => value !== null));
  const values = PARAMETERS.map(({ name, read }) => {
    const value = present.get(name);
    return value === undefined ? {} : read?.(value);
  });
  const distinct = readDistinct(present);
  return Object.assign({}, spec, ...values, distinct && { distinct }) as Partial<QueryParameters>;
}

/** The result for a request without parameters. */
const NOTHING: QueryParameters = {
  includeTotal: false,
  pretty: false,
  astOnly: false,
  explain: false,
  includeFactsExpiration: false,
  includePackageInventory: false,
};

function readQuery(value: Json, rules: ParameterRules): Pick<QueryParameters, "query" | "pql"> {
  if (typeof value === "string" && rules.pql && !/^\s*\[/.test(value)) return { pql: value };
  const query = typeof value === "string" ? parseQueryJson(value) : value;
  return query === null ? {} : { query };
}

function checkQuery(query: Json | undefined): void {
  if (query === undefined || Array.isArray(query)) return;
  throw new QueryError(`A query must be a JSON array, not ${kindOf(query)}`);
}

function parseTexts(given: Given): Given {
  const parsed = new Map(given);
  for (const { name, parse } of PARAMETERS) {
    const value = given.get(name);
    if (parse && typeof value === "string") parsed.set(name, parse(value));
  }
  return parsed;
}

function checkNames(rules: ParameterRules, method: QueryRequest["method"], given: Given): void {
  const missing = PARAMETERS.find(
    ({ name, required }) => required?.(rules, method) && (given.get(name) ?? null) === null,
  );
  if (missing) throw new QueryError(`Missing required query parameter '${missing.name}'`);
  const [unknown] = inSetOrder([...given.keys()].filter((name) => BY_NAME.get(name)?.taken(rules) !== true));
  if (unknown !== undefined) throw new QueryError(`Unsupported query parameter '${unknown}'`);
}

function orderBy(value: Json): Pick<QueryParameters, "orderBy"> {
  const orderings = readOrderBy(value);
  return orderings.length > 0 ? { orderBy: orderings } : {};
}
