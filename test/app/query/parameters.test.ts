import { describe, expect, it } from "vitest";
import { formPairs } from "#app/query/form-pairs.ts";
import { type ParameterRules, type QueryParameters, readParameters } from "#app/query/parameters.ts";
import { QueryError } from "#storage/query/errors.ts";

const NODES: ParameterRules = { paging: true, query: "optional" };
const ROOT: ParameterRules = { paging: true, query: "required", pql: true, astOnly: true };
const EVENTS: ParameterRules = { paging: true, query: "optional", distinct: true };
const COUNTS: ParameterRules = { ...EVENTS, counts: true };
const AGGREGATE: ParameterRules = { ...COUNTS, paging: false, pretty: false };
const ENVIRONMENT: ParameterRules = { paging: false, query: "refused" };

const DEFAULTS = {
  includeTotal: false,
  pretty: false,
  astOnly: false,
  explain: false,
  includeFactsExpiration: false,
  includePackageInventory: false,
};

type Values = Record<string, string>;

function get(rules: ParameterRules, params: Values | string): QueryParameters {
  const pairs = typeof params === "string" ? formPairs(params) : Object.entries(params);
  return readParameters(rules, { method: "GET", params: pairs });
}

function post(rules: ParameterRules, body: unknown): QueryParameters {
  return readParameters(rules, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
}

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
  return "no refusal";
}

describe("values of a GET", () => {
  it.each<[ParameterRules, Values | string, Partial<QueryParameters>]>([
    [NODES, {}, {}],
    [NODES, { query: "" }, {}],
    [NODES, { query: " " }, {}],
    [NODES, { query: "null" }, {}],
    [NODES, { query: '["=","certname","a"]' }, { query: ["=", "certname", "a"] }],
    [NODES, "query=%ZZ", {}],
    [NODES, "limit&", {}],
    [NODES, { limit: "+5", offset: "-0" }, { limit: 5n, offset: 0n }],
    [NODES, { limit: "2147483647" }, { limit: 2_147_483_647n }],
    [NODES, { order_by: "" }, {}],
    [NODES, { order_by: "[]" }, {}],
    [NODES, { order_by: "null" }, {}],
    [NODES, { order_by: "{}" }, {}],
    [
      NODES,
      { order_by: '[{"field":"a"},{"field":"b","order":"DESC"},{"field":"c","order":null}]' },
      {
        orderBy: [
          { field: "a", descending: false },
          { field: "b", descending: true },
          { field: "c", descending: false },
        ],
      },
    ],
    [NODES, { include_total: "TRUE" }, { includeTotal: true }],
    [NODES, { include_total: "yes" }, {}],
    [NODES, { pretty: "true" }, { pretty: true }],
    [NODES, { pretty: "junk" }, {}],
    [NODES, { optimize_drop_unused_joins: "maybe" }, {}],
    [NODES, { include_facts_expiration: "true" }, { includeFactsExpiration: true }],
    [NODES, { include_package_inventory: "true" }, { includePackageInventory: true }],
    [NODES, { as_of: "2026-11-20T12:00:00Z" }, { asOf: 1_795_176_000_000_000n }],
    [NODES, { explain: "analyze" }, { explain: true }],
    [NODES, { origin: "x" }, { origin: "x" }],
    [NODES, { timeout: "10" }, { timeout: 10 }],
    [NODES, { timeout: ".5" }, { timeout: 0.5 }],
    [NODES, { timeout: "0" }, { timeout: 0 }],
    [NODES, { timeout: "9".repeat(400) }, { timeout: Number.MAX_SAFE_INTEGER }],
    [ROOT, { query: "nodes{}" }, { pql: "nodes{}" }],
    [ROOT, { query: "" }, { pql: "" }],
    [ROOT, { query: ' \n["from","nodes"]', ast_only: "true" }, { query: ["from", "nodes"], astOnly: true }],
    [EVENTS, { distinct_resources: "false", distinct_start_time: "2026", distinct_end_time: "2027" }, {}],
    [
      COUNTS,
      { summarize_by: "certname", count_by: "resource", counts_filter: '[">","failures",0]' },
      { summarizeBy: "certname", countBy: "resource", countsFilter: [">", "failures", 0] },
    ],
    [AGGREGATE, { summarize_by: "certname,resource", counts_filter: "" }, { summarizeBy: "certname,resource" }],
    [ENVIRONMENT, { pretty: "true", timeout: "1.5" }, { pretty: true, timeout: 1.5 }],
  ])("%# %j", (rules, params, expected) => {
    expect(get(rules, params)).toEqual({ ...DEFAULTS, ...expected });
  });

  it("are read from a form-encoded body too, which takes precedence", () => {
    const form = formPairs("query=%5B%22or%22%5D&limit=2");
    const read = readParameters(NODES, { method: "GET", params: formPairs("?limit=1&offset=3"), form });
    expect(read).toEqual({ ...DEFAULTS, query: ["or"], limit: 2n, offset: 3n });
  });

  it("may be given as URLSearchParams", () => {
    const params = new URLSearchParams({ limit: "1" });
    expect(readParameters(NODES, { method: "GET", params })).toEqual({ ...DEFAULTS, limit: 1n });
  });

  it("read the times of distinct_resources", () => {
    const given = { distinct_resources: "true", distinct_start_time: "2026-11-19", distinct_end_time: "2027" };
    expect(get(EVENTS, given).distinct).toEqual({
      start: BigInt(Date.UTC(2026, 10, 19)) * 1000n,
      end: BigInt(Date.UTC(2027, 0, 1)) * 1000n,
      startText: "2026-11-19",
      endText: "2027",
    });
  });
});

describe("values of a POST", () => {
  it.each<[ParameterRules, unknown, Partial<QueryParameters>]>([
    [NODES, "", {}],
    [NODES, "null", {}],
    [NODES, {}, {}],
    [NODES, { query: null, limit: null, order_by: null, pretty: null, timeout: null }, {}],
    [NODES, { query: ["=", "certname", "a"] }, { query: ["=", "certname", "a"] }],
    [NODES, { query: '["=","certname","a"]' }, { query: ["=", "certname", "a"] }],
    [ROOT, { query: "nodes{}", limit: 2, offset: 1 }, { pql: "nodes{}", limit: 2n, offset: 1n }],
    [ROOT, { query: ["from", "nodes"] }, { query: ["from", "nodes"] }],
    [ROOT, { query: "" }, { pql: "" }],
    [ROOT, {}, {}],
    [NODES, { include_total: true, limit: "1", pretty: true }, { includeTotal: true, limit: 1n, pretty: true }],
    [NODES, { order_by: [{ field: "hash" }] }, { orderBy: [{ field: "hash", descending: false }] }],
    [NODES, { timeout: 2.5 }, { timeout: 2.5 }],
    [
      COUNTS,
      { summarize_by: "certname", counts_filter: [">", "failures", 0] },
      { summarizeBy: "certname", countsFilter: [">", "failures", 0] },
    ],
    [ENVIRONMENT, { query: [] }, {}],
  ])("%# %j", (rules, body, expected) => {
    expect(post(rules, body)).toEqual({ ...DEFAULTS, ...expected });
  });

  it("contain exact numbers of a query", () => {
    expect(JSON.stringify(post(NODES, '{"query":["=","value",9007199254740993.0]}').query)).toBe(
      '["=","value",9007199254740993.0]',
    );
  });

  it("contain times as milliseconds", () => {
    const body = { distinct_resources: true, distinct_start_time: 0, distinct_end_time: 20261121 };
    expect(post(EVENTS, body).distinct).toMatchObject({ start: 0n, end: 20_261_121_000n, endText: "20261121" });
  });
});

const DISTINCT = "'distinct_start_time' and 'distinct_end_time'";

describe("refusals of a GET, as recorded", () => {
  it.each<[ParameterRules, Values, string]>([
    [NODES, { limit: "0" }, "Illegal value '0' for :limit; expected a positive non-zero integer."],
    [NODES, { limit: "-1" }, "Illegal value '-1' for :limit; expected a positive non-zero integer."],
    [NODES, { limit: "1.5" }, "Illegal value '1.5' for :limit; expected a positive non-zero integer."],
    [NODES, { limit: "" }, "Illegal value '' for :limit; expected a positive non-zero integer."],
    [NODES, { limit: " 1" }, "Illegal value ' 1' for :limit; expected a positive non-zero integer."],
    [NODES, { limit: "2147483648" }, "Illegal value '2147483648' for :limit; expected a positive non-zero integer."],
    [NODES, { offset: "-1" }, "Illegal value '-1' for :offset; expected a non-negative integer."],
    [NODES, { offset: "x" }, "Illegal value 'x' for :offset; expected a non-negative integer."],
    [NODES, { order_by: "foo" }, "Illegal value 'foo' for :order_by; expected a JSON array of maps."],
    [NODES, { order_by: '["certname"]' }, `Illegal value '["certname"]' for :order_by; expected an array of maps.`],
    [
      NODES,
      { order_by: '[["certname","desc"]]' },
      `Illegal value '[["certname" "desc"]]' for :order_by; expected an array of maps.`,
    ],
    [
      NODES,
      { order_by: '{"field":"certname"}' },
      `Illegal value '{:field "certname"}' for :order_by; expected an array of maps.`,
    ],
    [
      NODES,
      { order_by: '[{"order":"asc"}]' },
      `Illegal value '{:order "asc"}' in :order_by; missing required key field.`,
    ],
    [
      NODES,
      { order_by: '[{"field":"certname","order":"up"}]' },
      `Illegal value '{:field "certname", :order "up"}' in :order_by; 'order' must be either 'asc' or 'desc'`,
    ],
    [
      NODES,
      { order_by: '[{"field":"certname","order":1}]' },
      `Illegal value '{:field "certname", :order 1}' in :order_by; 'order' must be either 'asc' or 'desc'`,
    ],
    [
      NODES,
      { order_by: '[{"fieldx":"certname"}]' },
      `Illegal value '{:fieldx "certname"}' in :order_by; unknown key 'fieldx'.`,
    ],
    [
      NODES,
      { order_by: '[{"field":"certname","order":"desc","extra":1}]' },
      `Illegal value '{:field "certname", :order "desc", :extra 1}' in :order_by; unknown key 'extra'.`,
    ],
    [NODES, { explain: "bogus" }, "Illegal value 'bogus' for :explain; expected `analyze`."],
    [NODES, { timeout: "abc" }, "Query timeout must be non-negative number, not abc"],
    [NODES, { timeout: "-1" }, "Query timeout must be non-negative number, not -1"],
    [NODES, { bogus: "x" }, "Unsupported query parameter 'bogus'"],
    [NODES, { query: '["=","certname","a"]', Query: "x" }, "Unsupported query parameter 'Query'"],
    [NODES, { "order-by": "[]" }, "Unsupported query parameter 'order-by'"],
    [NODES, { ast_only: "true" }, "Unsupported query parameter 'ast_only'"],
    [NODES, { distinct_resources: "true" }, "Unsupported query parameter 'distinct_resources'"],
    [
      ROOT,
      { query: '["from","event_counts"]', summarize_by: "certname" },
      "Unsupported query parameter 'summarize_by'",
    ],
    [ROOT, {}, "Missing required query parameter 'query'"],
    [COUNTS, { query: '["~","certname","."]' }, "Missing required query parameter 'summarize_by'"],
    [AGGREGATE, {}, "Missing required query parameter 'summarize_by'"],
    [AGGREGATE, { summarize_by: "certname", limit: "1" }, "Unsupported query parameter 'limit'"],
    [AGGREGATE, { summarize_by: "certname", pretty: "true" }, "Unsupported query parameter 'pretty'"],
    [ENVIRONMENT, { query: '["=' }, "Unsupported query parameter 'query'"],
    [ENVIRONMENT, { limit: "1" }, "Unsupported query parameter 'limit'"],
    [
      EVENTS,
      { distinct_resources: "junk" },
      `'distinct_resources' query parameter requires accompanying parameters ${DISTINCT}`,
    ],
    [
      EVENTS,
      { distinct_start_time: "2026-01-01" },
      `'distinct_resources' query parameter requires accompanying parameters ${DISTINCT}`,
    ],
    [
      EVENTS,
      { distinct_start_time: "2026-01-01", distinct_end_time: "2027-01-01" },
      `'distinct_resources' query parameter must accompany parameters ${DISTINCT}`,
    ],
    [
      EVENTS,
      { distinct_resources: "true", distinct_start_time: "2026-01-01", distinct_end_time: "x" },
      `query parameters ${DISTINCT} must be valid datetime strings: 2026-01-01 x`,
    ],
    [
      NODES,
      { query: '["=","certname","a"] ["x"]' },
      'Only one query may be sent in a request. Found JSON (["x"]) after the query ["=" "certname" "a"]',
    ],
  ])("%# %j", (rules, params, message) => {
    expect(refusal(() => get(rules, params))).toBe(message);
  });
});

describe("refusals of a POST", () => {
  it.each<[ParameterRules, unknown, string]>([
    [NODES, { limit: 0 }, "Illegal value '0' for :limit; expected a positive non-zero integer."],
    [NODES, { limit: "x" }, "Illegal value 'x' for :limit; expected a positive non-zero integer."],
    [NODES, { limit: 1.5 }, "Illegal value '1.5' for :limit; expected a positive non-zero integer."],
    [NODES, { limit: [1] }, "Illegal value '[1]' for :limit; expected a positive non-zero integer."],
    [
      NODES,
      '{"offset":9223372036854775808}',
      "Illegal value '9223372036854775808' for :offset; expected a non-negative integer.",
    ],
    [
      NODES,
      { order_by: '[{"field":"certname"}]' },
      `Illegal value '[{"field":"certname"}]' for :order_by; expected an array of maps.`,
    ],
    [NODES, { order_by: "junk" }, "Illegal value 'junk' for :order_by; expected an array of maps."],
    [NODES, { order_by: [{ field: 5 }] }, "Illegal value '{:field 5}' in :order_by; 'field' must be a string"],
    [NODES, { bogus: null }, "Unsupported query parameter 'bogus'"],
    [NODES, { pretty: 1 }, "Illegal value '1' for :pretty; expected a boolean."],
    [NODES, { origin: ["x"] }, `Illegal value '["x"]' for :origin; expected a string.`],
    [NODES, { timeout: -1 }, "Query timeout must be non-negative number, not -1"],
    [COUNTS, { summarize_by: null }, "Missing required query parameter 'summarize_by'"],
    [COUNTS, { summarize_by: ["certname"] }, `Illegal value '["certname"]' for :summarize_by; expected a string.`],
    [NODES, "[]", "The body of a query must be a JSON object of parameters, not an array"],
    [NODES, "5", "The body of a query must be a JSON object of parameters, not a number"],
    [ROOT, { query: 5 }, "A query must be a JSON array, not a number"],
    [ROOT, { query: { a: 1 } }, "A query must be a JSON array, not an object"],
  ])("%# %j", (rules, body, message) => {
    expect(refusal(() => post(rules, body))).toBe(message);
  });

  it("point into a malformed body", () => {
    expect(refusal(() => post(NODES, '{"query":['))).toMatch(/^Json parse error at line 1, column 11:\n\n/);
  });
});

describe("parameters for which PuppetDB returns 500 are rejected by name", () => {
  it.each<[Values | string, string]>([
    ["limit=1&limit=2", "Query parameter 'limit' was given more than once"],
    [{ order_by: "5" }, "Illegal value '5' for :order_by; expected an array of maps."],
    [{ query: '{"a":1}' }, "A query must be a JSON array, not an object"],
    [{ query: "true" }, "A query must be a JSON array, not a boolean"],
  ])("%j", (params, message) => {
    expect(refusal(() => get(NODES, params))).toBe(message);
  });

  it("with the error in the JSON of counts_filter", () => {
    expect(refusal(() => get(COUNTS, { summarize_by: "certname", counts_filter: "junk" }))).toMatch(
      /^Json parse error at line 1, column 5:\n\njunk\n {3}\^\n\nUnrecognized token 'junk'/,
    );
  });
});

describe("order of checks", () => {
  const wrong = {
    timeout: "x",
    distinct_resources: "true",
    explain: "x",
    offset: "x",
    limit: "0",
    order_by: '["x"]',
    bogus: "x",
  };

  it.each<[Values, RegExp]>([
    [{ ...wrong, counts_filter: "[", order_by: "x", query: "x" }, /^Json parse error .*: was expecting/s],
    [{ ...wrong, counts_filter: "[", order_by: "x" }, /for :order_by; expected a JSON array/],
    [{ ...wrong, counts_filter: "[" }, /^Json parse error/],
    [wrong, /^Missing required query parameter 'summarize_by'/],
    [{ ...wrong, summarize_by: "certname" }, /^Unsupported query parameter 'bogus'/],
  ])("%# %j", (params, message) => {
    expect(refusal(() => get(COUNTS, params))).toMatch(message);
  });

  it("converts order_by, limit, offset, explain and timeout in turn", () => {
    const { bogus: _, ...rest } = wrong;
    const given: Values = { ...rest, summarize_by: "certname" };
    const seen: string[] = [];
    for (const name of ["order_by", "limit", "offset", "explain", "timeout", "distinct_resources"]) {
      seen.push(refusal(() => get(COUNTS, given)));
      delete given[name];
    }
    expect(seen.map((message) => /:\w+|timeout|distinct_resources/.exec(message)?.[0])).toEqual([
      ":order_by",
      ":limit",
      ":offset",
      ":explain",
      "timeout",
      "distinct_resources",
    ]);
  });
});
