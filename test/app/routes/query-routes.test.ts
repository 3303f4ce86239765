import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fieldOf, populatedStore } from "#test/fixture-store.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";

let service: Served;
/** Hashes of reports, which the population does not name. */
const hashes: Record<string, string> = {};

beforeAll(async () => {
  const store = await populatedStore();
  for (const [name, filter] of Object.entries({
    changed: ["and", ["=", "certname", "alpha"], ["=", "status", "changed"]],
    gamma: ["=", "certname", "gamma"],
    plan: ["=", "type", "plan"],
  })) {
    hashes[name] = (await fieldOf(store, "reports", "hash", filter))[0] ?? "";
  }
  service = await serve(store);
});
afterAll(() => service.close());

const withHashes = (path: string): string => path.replace(/<(\w+)>/, (_, name: string) => hashes[name] ?? name);

describe("routes that answer with a list (reference/query.md §3)", () => {
  it.each<[path: string, rows: number]>([
    ["/nodes", 4],
    ["/nodes/alpha/facts", 19],
    ["/nodes/alpha/facts/kernel", 1],
    ["/nodes/alpha/facts/kernel/Linux", 1],
    ["/nodes/alpha/facts/nosuch", 0],
    ["/nodes/alpha/facts/", 0],
    // the value is compared as a JSON text
    ["/nodes/alpha/facts/count/5", 0],
    ["/nodes/beta/facts/count/5", 1],
    ["/nodes/alpha/resources", 4],
    ["/nodes/alpha/resources/Package", 1],
    ["/nodes/alpha/resources/package", 0],
    ["/nodes/alpha/resources/File/%2Fetc%2Fntp.conf", 1],
    ["/nodes/delta/facts", 0],
    ["/nodes/zeta/resources", 0],
    ["/facts", 37],
    ["/facts/kernel", 3],
    ["/facts/kernel/Linux", 2],
    ["/facts/uptime/10", 1],
    ["/facts/dotted.key/literal", 1],
    // empty maps and lists have no path
    ["/fact-names", 17],
    ["/fact-contents", 47],
    ["/factsets", 3],
    ["/factsets/alpha/facts", 1],
    ["/factsets/delta/facts", 1],
    ["/inventory", 3],
    ["/catalogs", 3],
    ["/catalogs/alpha/resources", 4],
    ["/catalogs/alpha/resources/File", 1],
    ["/catalogs/alpha/edges", 5],
    ["/catalogs/delta/resources", 0],
    ["/catalog-inputs", 1],
    ["/catalog-input-contents", 2],
    ["/resources", 6],
    ["/resources/Package", 2],
    ["/resources/Package/ntp", 2],
    ["/resources/Notify/It%27s%20%22here%22", 1],
    ["/edges", 6],
    ["/environments", 2],
    ["/environments/staging/facts", 13],
    ["/environments/staging/facts/kernel/Darwin", 1],
    ["/environments/staging/resources/Package/ntp", 1],
    ["/environments/staging/reports", 1],
    ["/environments/staging/events", 1],
    ["/environments/production/reports", 4],
    ["/environments/production/events", 5],
    ["/producers", 2],
    ["/producers/puppet2/factsets", 1],
    ["/producers/puppet/factsets", 2],
    ["/producers/puppet/catalogs", 2],
    ["/producers/puppet/reports", 4],
    ["/packages", 3],
    ["/package-inventory", 3],
    ["/package-inventory/alpha", 2],
    ["/package-inventory/nosuch", 0],
    ["/reports", 5],
    ["/reports/<changed>/logs", 1],
    ["/reports/<changed>/metrics", 1],
    ["/reports/<changed>/events", 3],
    ["/reports/<gamma>/events", 0],
    ["/environments/production/reports/<changed>/events", 3],
    // Not of that environment.
    ["/environments/staging/reports/<changed>/events", 0],
    ["/events", 6],
  ])("%s: %i rows", async (path, rows) => {
    const answer = await service.get(queryPath(withHashes(path)));
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json;charset=utf-8" } });
    expect(JSON.parse(answer.text)).toHaveLength(rows);
  });

  it("fact names are sorted texts", async () => {
    const names = JSON.parse((await service.get(queryPath("/fact-names"))).text) as string[];
    expect(names).toEqual([...names].sort());
    expect(names).toContain("os");
  });

  it.each(["gamma", "plan"])("a report of %s without logs returns null", async (name) => {
    expect((await service.get(queryPath(`/reports/${hashes[name]}/logs`))).text).toBe("null");
  });
});

it.each([
  ["/factsets/a%2Fb%20(c)", 404, "factset a/b (c)"],
  ["/factsets/a%2Fb/facts", 404, "factset a/b"],
  ["/package-inventory/a%2Fb", 200, "[]"],
])("%s may name any node", async (path, status, text) => {
  const answer = await service.get(queryPath(path));
  expect({ status: answer.status, text: answer.text }).toEqual({
    status,
    text: expect.stringContaining(text) as string,
  });
});

describe("routes that answer with one object", () => {
  it.each([
    ["/nodes/alpha", { certname: "alpha", deactivated: null }],
    // inactive ones too
    ["/nodes/delta", { certname: "delta", deactivated: "2026-11-19T20:00:00.000Z" }],
    ["/nodes/zeta", { certname: "zeta" }],
    ["/factsets/beta", { certname: "beta", environment: "staging" }],
    ["/catalogs/delta", { certname: "delta", version: "v4" }],
    ["/environments/staging", { name: "staging" }],
    ["/producers/puppet2", { name: "puppet2" }],
  ])("%s", async (path, expected) => {
    const answer = await service.get(queryPath(path));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject(expected);
    // always indented
    expect(answer.text).toMatch(/^\{\n {2}"\w+" : /);
  });

  it("check their parameters and ignore them", async () => {
    const path = queryPath("/nodes/alpha", { query: ["=", "certname", "beta"], limit: "1", offset: "5" });
    expect(JSON.parse((await service.get(path)).text)).toMatchObject({ certname: "alpha" });
    expect(await service.get(queryPath("/nodes/alpha", { limit: "x" }))).toMatchObject({
      status: 400,
      text: "Illegal value 'x' for :limit; expected a positive non-zero integer.",
    });
    expect(await service.get(queryPath("/environments/staging", { limit: "1" }))).toMatchObject({
      status: 400,
      text: "Unsupported query parameter 'limit'",
    });
  });
});

describe("unknown names and paths", () => {
  it.each([
    ["/nodes/nosuch", "node nosuch"],
    ["/nodes/", "node "],
    ["/nodes/nosuch/facts", "node nosuch"],
    ["/nodes/nosuch/resources/File", "node nosuch"],
    ["/factsets/epsilon", "factset epsilon"],
    ["/factsets/epsilon/facts", "factset epsilon"],
    ["/catalogs/gamma", "catalog gamma"],
    ["/catalogs/gamma/edges", "catalog gamma"],
    ["/catalogs/gamma/resources", "catalog gamma"],
    ["/environments/nosuch", "environment nosuch"],
    ["/environments/nosuch/facts", "environment nosuch"],
    ["/environments/nosuch/events", "environment nosuch"],
    ["/producers/nosuch", "producer nosuch"],
    ["/producers/nosuch/reports", "producer nosuch"],
    ["/reports/abc/logs", "report abc"],
    ["/reports/abc/events", "report abc"],
    ["/environments/nosuch/reports/abc/logs", "environment nosuch"],
    ["/environments/staging/reports/abc/metrics", "report abc"],
    ["/nodes/%3Cb%3E", "node <b>"],
  ])("%s: 404", async (path, what) => {
    expect(await service.get(queryPath(path))).toMatchObject({
      status: 404,
      headers: { "content-type": "application/json;charset=utf-8" },
      text: `{\n  "error" : "No information is known about ${what}"\n}`,
    });
  });

  // Which of two errors PuppetDB 7.12 reports.
  it.each([
    ["/reports/nosuch/logs", { bogus: "1" }, "Unsupported query parameter 'bogus'"],
    ["/reports/nosuch/metrics", { limit: "1" }, "Unsupported query parameter 'limit'"],
    ["/environments/staging/reports/nosuch/logs", { bogus: "1" }, "Unsupported query parameter 'bogus'"],
    ["/environments/staging/reports/nosuch/events", { bogus: "1" }, "Unsupported query parameter 'bogus'"],
    ["/environments/nosuch/reports/nosuch/logs", { bogus: "1" }, /environment nosuch/],
    ["/reports/nosuch/events", { bogus: "1" }, /report nosuch/],
    ["/catalogs/nosuch/edges", { bogus: "1" }, "Unsupported query parameter 'bogus'"],
    ["/producers/nosuch/factsets", { bogus: "1" }, /producer nosuch/],
  ])("%s with %j: what is wrong first", async (path, parameters, text) => {
    const answer = await service.get(queryPath(path, parameters));
    expect(answer.status).toBe(typeof text === "string" ? 400 : 404);
    expect(answer.text).toMatch(text);
  });

  it.each([
    "/pdb/query/v4/bogus",
    "/pdb/query/v4/",
    "/pdb/query",
    "/pdb/query/v5/nodes",
    "/pdb/query/v4/nodes/a/b/c",
    "/pdb/query/v4/nodes/alpha/",
    "/pdb/query/v4/nodes/a+b",
    "/pdb/query/v4/resources/File//etc/ntp.conf",
    "/pdb/query/v4/reports/abc",
    "/pdb/query/v4nodes",
  ])("no route: %s", async (path) => {
    expect(await service.get(path)).toMatchObject({
      status: 404,
      headers: { "content-type": "text/html;charset=utf-8" },
      text: "Not Found",
    });
  });

  it.each(["v1", "v2", "v3"])("the %s API is retired", async (version) => {
    expect(await service.get(`/pdb/query/${version}/nodes`)).toMatchObject({
      status: 404,
      text: `The ${version} API has been retired; please use v4`,
    });
  });
});

describe("invalid queries", () => {
  it.each<[path: string, parameters: Record<string, unknown>, text: string]>([
    ["", {}, "Missing required query parameter 'query'"],
    ["/nodes", { bogus: "1" }, "Unsupported query parameter 'bogus'"],
    [
      "/nodes",
      { query: ["=", "line", 1], limit: "0" },
      "Illegal value '0' for :limit; expected a positive non-zero integer.",
    ],
    ["/nodes", { query: '["=', bogus: "1" }, "Json parse error at line 1, column 4"],
    [
      "/environments",
      { query: ["=", "x", 1] },
      "'x' is not a queryable object for environments. Known queryable objects are 'name'",
    ],
    ["/nodes", { query: ["~", "certname", "("] }, "ERROR: invalid regular expression: parentheses () not balanced"],
    // The text of a parameter is read before its name is checked.
    ["/nodes", { counts_filter: "junk" }, "Json parse error at line 1, column 5"],
    ["/nodes", { counts_filter: '["bogus"]' }, "Unsupported query parameter 'counts_filter'"],
    ["", { query: "nodez{}" }, "PQL parse error at line 1, column 1"],
    ["", { query: ["from", "bogus"] }, "Invalid entity 'bogus' in query"],
    ["/event-counts", {}, "Missing required query parameter 'summarize_by'"],
    ["/event-counts", { summarize_by: "x" }, "Unsupported value for 'summarize_by': 'x'"],
    ["/event-counts", { summarize_by: "certname", count_by: "x" }, "Unsupported value for 'count_by': 'x'"],
    // Of several errors that of order_by comes first, then counts_filter, the query and count_by.
    [
      "/event-counts",
      { summarize_by: "certname", count_by: "x", counts_filter: '["=","x",1]', order_by: '[{"field":"x"}]' },
      "Unrecognized column 'x' specified in :order_by",
    ],
    [
      "/event-counts",
      { summarize_by: "certname", query: ["=", "x", 1], counts_filter: '["=","y",1]' },
      "y is not a queryable",
    ],
    ["/event-counts", { summarize_by: "certname", query: ["=", "x", 1], count_by: "y" }, "'x' is not a queryable"],
    // A syntax error comes before errors of parameters.
    ["", { query: "nodes{", limit: "x" }, "PQL parse error at line 1, column 7"],
    ["", { query: "nodes{}", limit: "x" }, "Illegal value 'x' for :limit"],
    [
      "/nodes",
      { query: '["a"] {"b": 1}' },
      'Only one query may be sent in a request. Found JSON ({"b" 1}) after the query ["a"]',
    ],
    // Of several unknown parameters the one that is first in the order of a set (reference/hashing.md §3).
    ["/nodes", { node: "1", default: "1", foo: "1" }, "Unsupported query parameter 'foo'"],
    [
      "/facts",
      { query: ["extract", [["function", "sum", "value"], "name"], ["group_by", "name"]] },
      "sum takes numbers",
    ],
  ])("%s %j: 400", async (path, parameters, text) => {
    const answer = await service.get(queryPath(path, parameters));
    expect(answer).toMatchObject({ status: 400, headers: { "content-type": "text/plain;charset=utf-8" } });
    expect(answer.text.slice(0, text.length)).toBe(text);
    expect(answer.headers).not.toHaveProperty("vary");
  });
});

describe("distinct_resources (reference/query.md §8)", () => {
  const window = { distinct_resources: "true", distinct_start_time: "2026-11-01", distinct_end_time: "2026-12-01" };
  const holders = async (query: unknown[]): Promise<string[]> => {
    const answer = await service.get(queryPath("/events", { ...window, query }));
    return (JSON.parse(answer.text) as { certname: string }[]).map(({ certname }) => certname).sort();
  };

  it("reads a null pattern as unknown for a value, and as false without one", async () => {
    const silent = await holders(["null?", "message", true]);
    expect(silent).toContain("epsilon");
    expect(await holders(["null?", "message", false])).not.toEqual([]);
    expect(await holders(["~", "message", null])).toEqual([]);
    expect(await holders(["not", ["~", "message", null]])).toEqual(silent);
    expect(await holders(["not", ["~", "certname", null]])).toEqual([]);
  });
});

it("refuse with ast_only what they refuse without it: to_string of a text", async () => {
  const query = ["from", "nodes", ["extract", [["function", "to_string", "certname", "FM9"]]]];
  for (const only of [{}, { ast_only: "true" }]) {
    expect(await service.get(queryPath("", { query, ...only }))).toMatchObject({
      status: 400,
      text: expect.stringContaining('to_string formats times and numbers; field "certname" is neither'),
    });
  }
});
