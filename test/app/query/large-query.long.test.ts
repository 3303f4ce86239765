import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LARGE_BODY, readLargeQuery } from "#app/query/large-query.ts";
import { defaultQuerySettings } from "#app/query/settings.ts";
import { populatedStore } from "#test/fixture-store.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";

let service: Served;
beforeAll(async () => {
  service = await serve(await populatedStore());
});
afterAll(() => service.close());

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const padding = " ".repeat(LARGE_BODY);
const root = "/pdb/query/v4";

/** What does not depend on the moment. */
function comparable({ status, text, headers }: Awaited<ReturnType<Served["send"]>>): unknown {
  return { status, text, type: headers["content-type"], records: headers["x-records"] };
}

describe("a large query gets the same response as a small one", () => {
  it.each<[path: string, parameters: object]>([
    ["/nodes", { query: ["=", "certname", "alpha"] }],
    ["/nodes", { order_by: [{ field: "certname", order: "desc" }], limit: 2, offset: 1, include_total: true }],
    ["/nodes", { query: ["~", "certname", "\\yal"], pretty: true }],
    ["/nodes/alpha/facts", { query: ["=", "name", "kernel"] }],
    ["/nodes/nobody/facts", { query: ["=", "name", "kernel"] }],
    ["/nodes/nobody/facts", { query: ["=", "nothing", "kernel"] }],
    ["/nodes/alpha", { query: "[" }],
    ["/fact-names", {}],
    ["/events", { query: ["=", "latest_report?", true], limit: 3 }],
    ["/event-counts", { summarize_by: "certname", query: ["=", "latest_report?", true], include_total: true }],
    ["/event-counts", { summarize_by: "certname", counts_filter: [">", "failures", 0] }],
    ["/aggregate-event-counts", { summarize_by: "certname,resource" }],
    ["", { query: 'nodes{certname = "alpha"}' }],
    ["", { query: "nodes{certname = }" }],
    ["", { query: 'nodes{certname = "alpha"}', ast_only: true }],
    ["", { query: "nodes[nothing]{}", ast_only: true }],
    ["", { query: ["from", "nodes", ["extract", "nothing"]] }],
    ["", { query: ["from", "nodes"], nothing: true }],
    ["", { query: ["from", "nodes"], limit: 0 }],
    ["", { query: ["from", "reports", ["extract", ["certname", "noop"]], ["order_by", ["receive_time"]]] }],
  ])("%s %j", async (path, parameters) => {
    const body = JSON.stringify(parameters);
    const small = await service.send("POST", `${root}${path}`, body, json);
    const large = await service.send("POST", `${root}${path}`, body + padding, json);
    expect(comparable(large)).toEqual(comparable(small));
    expect(service.faults).toEqual([]);
  });

  it("that is a form in a GET", async () => {
    const body = `query=${encodeURIComponent(JSON.stringify(["=", "certname", "alpha"]))}`;
    const small = await service.send("GET", `${root}/nodes?limit=1`, body, form);
    const large = await service.send("GET", `${root}/nodes?limit=1`, body + encodeURIComponent(padding), form);
    expect(comparable(large)).toEqual(comparable(small));
  });

  it("that is explained", async () => {
    const body = JSON.stringify({ query: ["=", "certname", "alpha"], explain: "analyze" });
    expect(await service.send("POST", `${root}/nodes`, body + padding, json)).toMatchObject({ status: 200 });
  });
});

describe("reading a large query", () => {
  const { agentReportsOnly, limits } = defaultQuerySettings;
  const request = (body: string): Parameters<typeof readLargeQuery>[0] => ({
    body: Buffer.from(body),
    search: undefined,
    rules: { query: "optional", paging: true },
    target: { kind: "list", of: { entity: "nodes", activeOnly: true } },
    settings: { agentReportsOnly, limits, pretty: false },
    context: { purgeHorizon: 0n, countsCorrective: false },
  });

  it("ends when its signal is aborted, also while it waits", async () => {
    const names = Array.from({ length: 500_000 }, (_, index) => `node${index}`);
    const body = JSON.stringify({ query: ["in", "certname", ["array", names]] });
    const controller = new AbortController();
    const all = [1, 2, 3, 4].map(async () => readLargeQuery(request(body), controller.signal));
    controller.abort(new Error("the time is over"));
    for (const reading of await Promise.allSettled(all)) {
      expect(reading).toMatchObject({ status: "rejected", reason: { message: "the time is over" } });
    }
    const { signal } = new AbortController();
    expect(await readLargeQuery(request("{}"), signal)).toMatchObject({ mistake: undefined });
  });

  it("is refused if there is too little memory for it", async () => {
    const { signal } = new AbortController();
    const reading = readLargeQuery(request(" ".repeat(1_000_000)), signal, 100_000_000);
    await expect(reading).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringMatching(/may have \d+ bytes/),
    });
  });

  it.each<[string, string]>([
    ["arrays", `["and",${"[],".repeat(1_000_000)}0]`],
    ["objects", `["=","facts",[${"{},".repeat(1_000_000)}0]]`],
    ["exact numbers", `["=","facts",[${"1.0,".repeat(700_000)}0]]`],
    ["unknown fields", `["and",${'["=","x",1],'.repeat(250_000)}["=","x",1]]`],
    ["facts", `["or",${'["=",["fact","k"],"y"],'.repeat(120_000)}["=","certname","x"]]`],
    ["conditions", `["or",${'["not",["=","certname","y"]],'.repeat(100_000)}["=","certname","x"]]`],
  ])("is possible or an error for the client, with nothing but %s", { timeout: 120_000 }, async (_name, query) => {
    const { signal } = new AbortController();
    const { mistake } = await readLargeQuery(request(`{"query":${query}}`), signal);
    expect(mistake?.code ?? "bad-input").toBe("bad-input");
  });

  it("takes no longer than the timeout of queries", async () => {
    const hasty = await serve(await populatedStore(), { queries: { timeoutDefaultMs: 1 } });
    const answer = await hasty.send("POST", `${root}/nodes`, `{}${padding}`, json);
    expect(answer).toMatchObject({ status: 500, text: expect.stringContaining("exceeded timeout") as string });
    expect(hasty.faults).toEqual([]);
    await hasty.close();
  });
});
