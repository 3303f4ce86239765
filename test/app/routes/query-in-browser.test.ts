import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { emptyStore, fieldOf, populatedStore } from "#test/fixture-store.ts";

/** As Firefox and Chromium open an address. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

let service: Served;
let hash: string;
beforeAll(async () => {
  const store = await populatedStore();
  [hash = ""] = await fieldOf(store, "reports", "hash", ["=", "status", "changed"]);
  service = await serve(store);
});
afterAll(() => service.close());

async function open(path: string): Promise<{ status: number; location: string }> {
  const { status, headers } = await service.get(path, { accept: BROWSER });
  return { status, location: headers["location"] ?? "" };
}

/** What the workbench is given. */
async function shownQuery(path: string): Promise<{ lang: string | null; q: string | null }> {
  const { status, location } = await open(path);
  expect([status, location.split("#")[0]]).toEqual([302, "/explorer/query"]);
  const fragment = new URLSearchParams(location.split("#")[1]);
  return { lang: fragment.get("lang"), q: fragment.get("q") };
}

/** The rows as texts, without order. */
async function rowsAt(path: string): Promise<string[]> {
  const { status, text } = await service.get(path);
  expect([path, status]).toEqual([path, 200]);
  const rows = JSON.parse(text) as unknown;
  return (Array.isArray(rows) ? rows : [rows]).map((row) => JSON.stringify(row)).sort();
}

describe("a query URL that a browser opens", () => {
  it.each<[path: string, parameters?: Record<string, unknown>]>([
    ["", { query: 'nodes[certname]{ certname = "alpha" }' }],
    ["", { query: "nodes[certname]{ }", order_by: [{ field: "certname", order: "desc" }], limit: 2, offset: 1 }],
    ["", { query: "reports[hash]{ limit 1 }", limit: 2 }],
    ["", { query: ["from", "reports", ["=", "status", "changed"]] }],
    ["/nodes"],
    ["/nodes", { query: ["~", "certname", "^[ab]"], order_by: [{ field: "certname" }], limit: 1 }],
    [
      "/nodes",
      { query: ["extract", [["function", "count"], "report_environment"], ["group_by", "report_environment"]] },
    ],
    ["/nodes/alpha"],
    ["/nodes/delta"],
    ["/nodes/alpha/facts"],
    ["/nodes/alpha/facts/kernel/Linux"],
    ["/nodes/beta/facts/count/5"],
    ["/nodes/alpha/resources/File/%2Fetc%2Fntp.conf"],
    ["/resources/Notify/It%27s%20%22here%22"],
    ["/resources/Package", { query: ["extract", ["certname", "title"], ["=", "certname", "alpha"]] }],
    ["/resources/Package", { query: ["extract", ["certname"]] }],
    ["/facts/kernel", { query: ["extract", [["function", "count"], "value"], ["group_by", "value"]] }],
    ["/catalogs"],
    ["/catalogs/alpha/edges"],
    ["/factsets/delta/facts"],
    ["/environments/staging/facts"],
    ["/environments/staging"],
    ["/producers/puppet/catalogs"],
    ["/package-inventory/alpha"],
    ["/fact-names"],
    ["/events", { query: ["=", "status", "success"] }],
    ["/reports", { query: ["=", "node_state", "inactive"] }],
  ])("%s %j is in the workbench, where it has the same rows", async (path, parameters = {}) => {
    const url = queryPath(path, parameters);
    const { q } = await shownQuery(url);
    expect(await rowsAt(queryPath("", { query: q ?? "" }))).toEqual(await rowsAt(url));
  });

  it("keeps PQL as it was written", async () => {
    const query = 'nodes[certname] { certname = "a&b=ü#c" }';
    expect(await shownQuery(queryPath("", { query }))).toEqual({ lang: "pql", q: query });
  });

  it("keeps numbers exactly", async () => {
    const query = '["=", "value", 12345678901234567890.5]';
    expect(await shownQuery(queryPath("/facts", { query }))).toEqual({
      lang: "ast",
      q: '["from","facts",["=","value",12345678901234567890.5]]',
    });
  });

  it.each([
    ["", "nodes{ certname = ", "pql"],
    ["", '["from", ', "ast"],
    ["/nodes", "nodes{}", "ast"],
    ["/nodes", "\u2028</script>\r\nX-Header: 1", "ast"],
    ["/nodes", "[".repeat(1200), "ast"],
  ])("%s with %j, which cannot be read, is there as it was sent", async (path, query, lang) => {
    expect(await shownQuery(queryPath(path, { query }))).toEqual({ lang, q: query });
  });

  it("without a query at the root opens an empty workbench", async () => {
    expect(await open("/pdb/query/v4")).toEqual({ status: 302, location: "/explorer/query" });
  });

  it("of parts of a report opens the report, of counts of events the events", async () => {
    expect((await open(queryPath(`/reports/${hash}/logs`))).location).toBe(`/explorer/reports/${hash}`);
    const counts = queryPath("/event-counts", { query: ["=", "status", "failure"], summarize_by: "certname" });
    expect(await shownQuery(counts)).toEqual({
      lang: "ast",
      q: '["from","events",["and",["=","node_state","any"],["=","status","failure"]]]',
    });
  });
});

describe("everybody else gets what PuppetDB answers", () => {
  it.each([
    ["text/html", 406],
    ["text/html,*/*;q=0.8", 406],
    // Java
    ["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", 406],
    ["text/html, application/xhtml+xml, application/json", 200],
    ["text/html, application/xhtml+xml, */*", 200],
    ["*/*", 200],
  ])("Accept: %s is %i", async (accept, status) => {
    expect((await service.get(queryPath("/nodes"), { accept })).status).toBe(status);
  });

  it("a POST, commands and unknown paths are 406", async () => {
    const statuses = [
      await service.send("POST", "/pdb/query/v4", '{"query": "nodes{}"}', { accept: BROWSER }),
      await service.send("HEAD", "/pdb/query/v4/nodes", undefined, { accept: BROWSER }),
      await service.get("/pdb/query/v4/nope", { accept: BROWSER }),
      await service.get("/pdb/meta/v1/version", { accept: BROWSER }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([406, 406, 406, 406]);
  });

  it("without the explorer a browser gets 406", async () => {
    const without = await serve(await emptyStore(), { explorer: { enabled: false } });
    try {
      expect((await without.get(queryPath("/nodes"), { accept: BROWSER })).status).toBe(406);
    } finally {
      await without.close();
    }
  });
});
