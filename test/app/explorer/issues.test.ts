import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Issue, IssueDetail, Issues } from "#storage/issues/issue.ts";
import { populatedStore } from "#test/fixture-store.ts";
import { serve, type Served } from "../fixture-service.ts";
import { apiPath } from "./api-path.ts";

let served: Served;

beforeAll(async () => {
  served = await serve(await populatedStore());
});

afterAll(() => served.close());

const path = (parameters: Record<string, string | readonly string[]>): string => apiPath("issues", parameters);

async function list(parameters: Record<string, string> = {}): Promise<Issues> {
  return JSON.parse((await served.get(path(parameters))).text) as Issues;
}

describe("the endpoint of issues", () => {
  it("lists what failed in the last 24 hours", async () => {
    expect(await list()).toEqual({
      revision: expect.any(Number) as number,
      rules: "v2",
      total: 2,
      states: { new: 2, regressed: 0, continuing: 0, resolved: 0 },
      issues: [
        {
          id: expect.stringMatching(/^v2-[\da-f]{12}$/) as string,
          kind: "run",
          type: null,
          title: null,
          message: "A cached catalog was used, and the report has no error",
          place: null,
          class: null,
          state: "new",
          common: expect.stringMatching(/^v2-[\da-f]{12}$/) as string,
          elsewhere: 0,
          nodes: 1,
          still: 1,
          isHere: false,
          joined: 1,
          recovered: 0,
          events: 1,
          environments: ["production"],
          first: "2026-11-20T12:01:00.000Z",
          last: "2026-11-20T12:01:00.000Z",
          sample: { certname: "gamma", report: expect.stringMatching(/^[\da-f]{40}$/) as string },
          spark: Array.from({ length: 24 }, (_, part) => (part === 12 ? 1 : 0)),
        },
        {
          id: expect.stringMatching(/^v2-[\da-f]{12}$/) as string,
          kind: "resource",
          type: "Package",
          title: "ntp",
          message: "no such package",
          place: { file: "/site.pp", line: 3 },
          class: "Ntp",
          state: "new",
          common: expect.stringMatching(/^v2-[\da-f]{12}$/) as string,
          elsewhere: 0,
          nodes: 1,
          still: 1,
          isHere: false,
          joined: 1,
          recovered: 0,
          events: 1,
          environments: ["staging"],
          first: "2026-11-20T11:01:00.000Z",
          last: "2026-11-20T11:01:00.000Z",
          sample: { certname: "beta", report: expect.stringMatching(/^[\da-f]{40}$/) as string },
          spark: Array.from({ length: 24 }, (_, part) => (part === 11 ? 1 : 0)),
        },
      ],
    });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ["an environment", { env: "staging" }, ["beta"]],
    ["a kind", { kind: "run" }, ["gamma"]],
    ["a type", { type: "Package" }, ["beta"]],
    ["a class", { class: "Ntp" }, ["beta"]],
    ["a node", { certname: "gamma" }, ["gamma"]],
    ["a query of nodes", { query: 'nodes{ inventory{ facts.kernel = "Darwin" } }' }, ["beta"]],
    ["a time range", { from: "2026-11-20T12:00:00Z", to: "2026-11-20T13:00:00Z" }, ["gamma"]],
    ["a number", { limit: "1", sort: "first" }, ["gamma"]],
  ])("filters by %s", async (_, parameters, certnames) => {
    const { issues } = await list(parameters);
    expect(issues.map(({ sample }) => sample.certname)).toEqual(certnames);
  });

  it("returns an issue with its messages, nodes, reports and runs over time", async () => {
    const { issues } = await list({ kind: "resource" });
    const [{ id, sample }] = issues as [Issue];
    const answer = await served.get(apiPath(`issues/${id}`, { last: "24h", zone: "Europe/Berlin" }));
    expect(answer.status).toBe(200);
    const detail = JSON.parse(answer.text) as IssueDetail;
    const time = "2026-11-20T11:01:00.000Z";
    expect(detail).toMatchObject({
      issue: issues[0],
      messages: [{ message: "no such package", count: 1 }],
      nodes: [{ certname: "beta", environment: "staging", still: true, report: sample.report, time, first: time }],
      begin: { certname: "beta", report: sample.report, time, versionBefore: null },
      reports: [{ hash: sample.report, certname: "beta", time, status: "failed" }],
      histogram: { series: ["failed", "hidden"], unit: "1 h" },
    });
    expect(detail.histogram.buckets.filter(([, ...counts]) => counts.some((count) => count > 0))).toEqual([
      ["2026-11-20T11:00:00.000Z", 1, 0],
    ]);
  });

  it("returns 404 for an unknown id, and says what to do", async () => {
    const answer = await served.get(apiPath("issues/v2-000000000000"));
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
    expect(answer.text).toContain("choose a longer range");
  });

  it.each([
    ["an unknown kind", { kind: "odd" }, "parameter 'kind' must be one of resource, catalog, run, warning"],
    ["an unknown order", { sort: "odd" }, "parameter 'sort' must be one of still, nodes, last, first, events"],
    ["a query of something else", { query: "facts{}" }, "write one that selects nodes"],
    ["a query with columns", { query: "nodes[certname]{}" }, "here a query is an entity and its conditions"],
    ["a query that is none", { query: "nodes{" }, "PQL parse error"],
    ["a range that is too long", { from: "1990-01-01" }, "narrow it"],
    ["too many", { limit: "1001" }, "parameter 'limit' must be a whole number from 1 to 1000"],
  ])("refuses %s in plain text", async (_, parameters, message) => {
    const answer = await served.get(path(parameters));
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
    expect(answer.text).toContain(message);
  });
});
