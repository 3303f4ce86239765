import { afterEach, describe, expect, it } from "vitest";
import { defaultQuerySettings, type QuerySettings, timeLimit } from "#app/query/settings.ts";
import type { QueryEntry } from "#app/query/watch.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, populatedStore } from "#test/fixture-store.ts";

let service: Served | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const entries: QueryEntry[] = [];
async function served(queries: Partial<QuerySettings>): Promise<Served> {
  entries.length = 0;
  service = await serve(await populatedStore(), { queries, onQuery: (entry) => entries.push(entry) });
  return service;
}

describe("the seconds that a query may take (reference/query.md §2.1)", () => {
  it.each<[request: { timeout?: number; origin?: string }, settings: Partial<QuerySettings>, limit: number]>([
    [{}, {}, 600],
    [{ timeout: 5 }, {}, 5],
    [{ timeout: 0 }, {}, 0],
    [{}, { timeoutDefaultMs: 1500 }, 1.5],
    [{ timeout: 100 }, { timeoutMaxMs: 30_000 }, 30],
    [{ timeout: 10 }, { timeoutMaxMs: 30_000 }, 10],
    [{ timeout: 0 }, { timeoutMaxMs: 30_000 }, 30],
    [{}, { timeoutMaxMs: 30_000 }, 30],
    [{ timeout: 100, origin: "puppet:puppetdb-sync-batch" }, { timeoutMaxMs: 30_000 }, 100],
    [{ timeout: 100, origin: "somebody" }, { timeoutMaxMs: 30_000 }, 30],
  ])("%j with %j: %d", (request, settings, limit) => {
    expect(timeLimit(request, { ...defaultQuerySettings, ...settings })).toBe(limit);
  });
});

describe("answers", () => {
  it("are indented if the setting says so and the request does not", async () => {
    const site = await served({ pretty: true });
    expect((await site.get(queryPath("/environments"))).text).toMatch(/^\[ \{\n {2}"name" : /);
    expect((await site.get(queryPath("/environments", { pretty: "false" }))).text).toMatch(/^\[\{"name":/);
  });

  it.each([
    [true, "gzip"],
    [false, undefined],
  ])("with gzip %s have the coding %s", async (gzip, coding) => {
    const { url } = await served({ gzip });
    const answer = await fetch(`${url}${queryPath("/nodes")}`, { headers: { "accept-encoding": "gzip" } });
    expect(answer.headers.get("content-encoding") ?? undefined).toBe(coding);
    expect(await answer.json()).not.toEqual([]);
  });

  it("include reports of plans if the setting says so and the query does not mention the type", async () => {
    const store = await emptyStore();
    await store.submit(a.report("web", { type: "agent" }));
    await store.submit(a.report("web", { type: "plan", producer_timestamp: "2026-11-20T11:00:00Z" }));
    service = await serve(store, { queries: { agentReportsOnly: false } });
    const inSubquery = ["in", "certname", ["extract", "certname", ["select_reports", ["=", "report_format", 10]]]];
    expect(JSON.parse((await service.get(queryPath("/reports"))).text)).toHaveLength(2);
    expect((await service.get(queryPath("/nodes", { query: inSubquery }))).status).toBe(200);
  });

  it("are 400 for bodies that are too large", async () => {
    const site = await served({ bodyMaxSize: 100 });
    const query = JSON.stringify({ query: ["=", "certname", "x".repeat(200)] });
    const answer = await site.send("POST", queryPath("/nodes"), query, { "content-type": "application/json" });
    expect(answer).toMatchObject({ status: 400, text: "the body is larger than 100 bytes" });
  });
});

describe("a query that is over", () => {
  const request = queryPath("/nodes", { query: ["=", "certname", "alpha"], origin: "a dashboard" });

  it("is logged with its SQL if the setting says so", async () => {
    const site = await served({ log: true });
    await site.get(request);
    await expect.poll(() => entries).toHaveLength(1);
    expect(entries).toEqual([
      {
        path: "/pdb/query/v4/nodes",
        query: '["=","certname","alpha"]',
        origin: "a dashboard",
        statements: [expect.stringMatching(/SELECT .*FROM nodes/s)],
        ms: expect.any(Number),
        isSlow: false,
      },
    ]);
    expect(entries[0]?.statements.join()).not.toContain("alpha");
  });

  it("is logged if it was slow", async () => {
    const site = await served({ slowMs: 0 });
    await site.get(request);
    await expect.poll(() => entries.map(({ isSlow }) => isSlow)).toEqual([true]);
  });

  it("is not logged otherwise", async () => {
    const site = await served({});
    await site.get(request);
    expect(entries).toEqual([]);
  });
});
