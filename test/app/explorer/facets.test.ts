import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { a, populatedStore } from "#test/fixture-store.ts";
import type { Answer } from "#test/conformance/recording.ts";
import { serve, type Served } from "../fixture-service.ts";
import { apiPath } from "./api-path.ts";

let served: Served;

beforeAll(async () => {
  served = await serve(await populatedStore());
});

afterAll(() => served.close());

const path = (parameters: Record<string, string | readonly string[]>): string => apiPath("facets", parameters);

describe("the endpoint of facets", () => {
  it("returns the same counts and revision for a GET and a POST", async () => {
    const facet = ["state", "facts.os.family", "report_environment,latest_report_status"];
    const filter = ['facts.kernel="Linux"', 'report_environment!="staging"'];
    const got = await served.get(path({ query: "nodes{}", facet, filter, limit: "2" }));
    expect(got.status).toBe(200);
    expect(got.headers["cache-control"]).toBe("no-store");
    expect(JSON.parse(got.text)).toEqual({
      revision: expect.any(Number) as number,
      total: 2,
      facets: [
        { fields: ["state"], distinct: 1, missing: 0, others: 0, values: [{ value: "silent", count: 2 }] },
        { fields: ["facts.os.family"], distinct: 1, missing: 1, others: 0, values: [{ value: "Debian", count: 1 }] },
        {
          fields: ["report_environment", "latest_report_status"],
          distinct: 2,
          missing: 0,
          others: 0,
          values: [
            { value: ["production", "changed"], count: 1 },
            { value: ["production", "unchanged"], count: 1 },
          ],
        },
      ],
    });
    const body = JSON.stringify({ query: "nodes{}", facet, filter, limit: 2 });
    const posted = await served.send("POST", apiPath("facets"), body, { "content-type": "application/json" });
    expect(JSON.parse(posted.text)).toEqual(JSON.parse(got.text));
  });

  it("accepts AST as well", async () => {
    const answer = await served.get(
      path({ query: '["from", "reports", ["=", "status", "failed"]]', facet: "certname" }),
    );
    expect(JSON.parse(answer.text)).toMatchObject({ total: 1, facets: [{ values: [{ value: "beta", count: 1 }] }] });
  });

  it("reads names with commas and equals signs in quotes", async () => {
    const facet = 'facts."a,b=c",facts.kernel';
    const answer = await served.get(path({ query: "nodes{}", facet, filter: 'facts."a,b=c"=1' }));
    expect(JSON.parse(answer.text)).toMatchObject({
      total: 0,
      facets: [{ fields: ['facts."a,b=c"', "facts.kernel"] }],
    });
  });

  it("keeps numbers as they are stored", async () => {
    const answer = await served.get(path({ query: "nodes{}", facet: ["facts.huge", "facts.float"] }));
    expect(answer.text).toContain('{"value":123456789012345678901234567890,"count":1}');
    expect(answer.text).toContain('"value":5.0,');
  });

  it.each([
    ["no query", {}, "parameter 'query' is missing"],
    ["a query that is given twice", { query: ["nodes{}", "nodes{}"] }, "parameter 'query' is given 2 times"],
    [
      "an unknown parameter",
      { query: "nodes{}", colour: "red" },
      "unknown parameter 'colour'; this endpoint has query, facet",
    ],
    ["PQL that is none", { query: "nodes{" }, "PQL parse error at line 1, column 7"],
    ["an AST that is none", { query: '["from", ' }, "Json parse error at line 1, column 10"],
    [
      "an unknown field",
      { query: "nodes{}", facet: "nope" },
      "'nope' is not a queryable object for nodes. Known queryable objects are",
    ],
    ["an empty field", { query: "nodes{}", facet: "" }, "'' is not a queryable object for nodes"],
    [
      "a filter without a value",
      { query: "nodes{}", filter: "state" },
      'filter "state": write FIELD=JSON or FIELD!=JSON',
    ],
    [
      "a filter whose text is not in quotes",
      { query: "nodes{}", filter: "state=failed" },
      'a text is written in quotes, state="failed"',
    ],
    ["too many values", { query: "nodes{}", limit: "1001" }, "parameter 'limit' must be a whole number from 1 to 1000"],
    ["no values", { query: "nodes{}", limit: "0" }, "parameter 'limit' must be"],
    ["columns", { query: "nodes[certname]{}", facet: "state" }, "here a query is an entity and its conditions"],
  ])("refuses %s in plain text", async (_, parameters, message) => {
    const answer = await served.get(path(parameters));
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
    expect(answer.text).toContain(message);
  });
});

it("facets are cached while other tables change; when their own do, an older answer says its age and a new one can be had", async () => {
  const store = await populatedStore();
  const changing = await serve(store);
  const request = path({ query: "resources{}", facet: "type" });
  const types = async (headers: Record<string, string> = {}): Promise<Answer> => changing.get(request, headers);
  // Which nodes are inactive is known after the first query.
  await types();
  await types();
  const before = await types();
  expect(before.headers["age"]).toBeUndefined();
  await store.submit(a.report("alpha", { producer_timestamp: "2026-11-20T23:00:00Z" }));
  const [same] = await Promise.all([types(), types()]);
  expect([same.text, same.headers["age"]]).toEqual([before.text, undefined]);
  await store.submit(a.catalog("alpha", { producer_timestamp: "2026-11-20T23:00:00Z", resources: [], edges: [] }));
  const older = await types();
  // On a busy machine it may be too old already.
  expect(older.text !== before.text || /^[1-9]\d*$/.test(older.headers["age"] ?? "")).toBe(true);
  const fresh = await types({ "cache-control": "no-cache" });
  expect(fresh.headers["age"]).toBeUndefined();
  expect(fresh.text).not.toBe(before.text);
  await expect.poll(async () => (await types()).text).toBe(fresh.text);
  await changing.close();
});
