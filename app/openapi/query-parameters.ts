import { summaries } from "#storage/query/compile/counts.ts";
import { QueryError } from "#storage/query/errors.ts";
import { type ParameterRules, readParameters } from "../query/parameters.ts";
import type { Pair } from "../query/form-pairs.ts";
import type { Schema } from "./types.ts";

/** The description of a parameter of queries. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** Its type in the body of a POST, if that may be more than the text in a URL. */
  readonly inBody?: Schema;
  /** As a URL spells it. */
  readonly example: string;
}

/** Given together or not at all. */
const DISTINCT = ["distinct_resources", "distinct_start_time", "distinct_end_time"] as const;

const truth = { type: "boolean" } as const;
const text = { type: "string" } as const;
const jsonText = { type: "string", contentMediaType: "application/json" } as const;
const ordering: Schema = {
  type: "array",
  items: {
    type: "object",
    properties: { field: text, order: { enum: ["asc", "desc", null] } },
    required: ["field"],
  },
};

/** Every parameter of queries (`reference/query.md §2.1`); the code decides which route supports which. */
const queryParameters: readonly QueryParameter[] = [
  {
    name: "query",
    description: "The query: an AST in JSON; at the root also PQL",
    schema: text,
    inBody: { type: ["array", "string", "null"] },
    example: '["~", "certname", "."]',
  },
  {
    name: "ast_only",
    description: "Answer with the AST of the query rather than with rows",
    schema: truth,
    example: "false",
  },
  {
    name: "order_by",
    description: "Fields to order by, the first one first",
    schema: jsonText,
    inBody: ordering,
    example: "[]",
  },
  {
    name: "limit",
    description: "Rows at most",
    schema: { type: "integer", minimum: 1 },
    example: "100",
  },
  { name: "offset", description: "Rows to leave out", schema: { type: "integer", minimum: 0 }, example: "0" },
  {
    name: "include_total",
    description: "Return the number of rows before limit and offset in the header X-Records",
    schema: truth,
    example: "true",
  },
  { name: "optimize_drop_unused_joins", description: "Taken and of no effect", schema: truth, example: "true" },
  { name: "pretty", description: "Indent the answer", schema: truth, example: "true" },
  {
    name: "explain",
    description: "Answer with how the engine carries the query out",
    schema: { const: "analyze" },
    example: "analyze",
  },
  {
    name: "include_facts_expiration",
    description: "Nodes: return whether their facts expire",
    schema: truth,
    example: "true",
  },
  {
    name: "include_package_inventory",
    description: "Factsets: return the packages sent with them",
    schema: truth,
    example: "true",
  },
  {
    name: "as_of",
    description: "Answer as at this time, if changes since are recorded",
    schema: { type: "string", format: "date-time" },
    example: "2026-11-20T12:00:00Z",
  },
  {
    name: "distinct_resources",
    description: "Only the newest event of each resource and node; with distinct_start_time and distinct_end_time",
    schema: truth,
    example: "true",
  },
  {
    name: "distinct_start_time",
    description: "From when on events count; with distinct_resources",
    schema: { type: "string", format: "date-time" },
    example: "2026-11-20T00:00:00Z",
  },
  {
    name: "distinct_end_time",
    description: "Until when events count; with distinct_resources",
    schema: { type: "string", format: "date-time" },
    example: "2026-11-21T00:00:00Z",
  },
  {
    name: "timeout",
    description: "Seconds that the query may take; 0: as many as the server allows",
    schema: { type: "number", minimum: 0 },
    example: "30",
  },
  { name: "origin", description: "The client's name, for logs and messages", schema: text, example: "dashboard" },
  {
    name: "summarize_by",
    description: `What is counted: ${Object.keys(summaries).join(", ")}; of aggregates several, with commas`,
    schema: text,
    example: "certname",
  },
  {
    name: "count_by",
    description: "Whether events or nodes are counted",
    schema: { enum: ["resource", "certname"] },
    example: "resource",
  },
  {
    name: "counts_filter",
    description: "A comparison of one of the counts with a number",
    schema: jsonText,
    inBody: { type: "array" },
    example: '[">", "failures", 0]',
  },
];

export interface TakenParameter extends QueryParameter {
  readonly required: boolean;
}

/** The parameters that a route with these rules lets through: the code that reads them says so itself. */
export function parametersTaken(rules: ParameterRules): TakenParameter[] {
  const required = new Set<string>();
  for (let name = missing(rules, required); name !== undefined; name = missing(rules, required)) {
    if (required.has(name)) throw new Error(`the parameter ${name} has no description`);
    required.add(name);
  }
  return queryParameters
    .filter(({ name }) => refusal(rules, [...required, ...companions(name)]) === undefined)
    .map((parameter) => ({ ...parameter, required: required.has(parameter.name) }));
}

function companions(name: string): readonly string[] {
  return DISTINCT.some((each) => each === name) ? DISTINCT : [name];
}

function missing(rules: ParameterRules, given: ReadonlySet<string>): string | undefined {
  return /^Missing required query parameter '(.+)'$/.exec(refusal(rules, [...given]) ?? "")?.[1];
}

/** The error for a request with these parameters, if any. */
function refusal(rules: ParameterRules, names: readonly string[]): string | undefined {
  const params = queryParameters.flatMap(({ name, example }): Pair[] =>
    names.includes(name) ? [[name, example]] : [],
  );
  try {
    readParameters(rules, { method: "GET", params });
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
}
