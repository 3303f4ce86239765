import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, submitted } from "#test/fixture-store.ts";
import type { QueryEntry } from "#app/query/watch.ts";

const PATH = "/pdb/ext/v1/sql";
const logged: QueryEntry[] = [];
let service: Served;

beforeAll(async () => {
  const store = await emptyStore();
  await submitted(
    store,
    a.facts("web-01.example", { values: { kernel: "Linux" } }),
    a.facts("gone.example"),
    a.deactivation("gone.example", "2026-11-20T23:00:00Z"),
  );
  service = await serve(store, { queries: { sql: true, log: true }, onQuery: (entry) => logged.push(entry) });
});
afterAll(() => service.close());

const json = { "content-type": "application/json" };
const post = (body: unknown): ReturnType<Served["send"]> =>
  service.send("POST", PATH, typeof body === "string" ? body : JSON.stringify(body), json);

/** The connections to the engine on which a statement runs. */
async function activeConnections(): Promise<number> {
  const { text } = await service.get("/metrics");
  return Number(/^puppetdb_database_active_connections\{pool="PDBReadPool"\} (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

describe("SQL over HTTP", () => {
  it("returns the rows of a SELECT, in a URL or in a body", async () => {
    const query = "SELECT certname, value FROM facts WHERE name = 'kernel'";
    const answer = await service.get(`${PATH}?query=${encodeURIComponent(query)}`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual([{ certname: "web-01.example", value: "Linux" }]);
    expect((await post({ query })).text).toBe(answer.text);
    expect(logged.at(-1)).toMatchObject({ query, path: PATH, statements: [query] });
  });

  it("omits inactive nodes unless they are requested", async () => {
    const query = "SELECT count(*) AS nodes FROM nodes";
    expect((await post({ query })).text).toBe('[{"nodes":1}]');
    expect((await post({ query, inactive: true })).text).toBe('[{"nodes":2}]');
    const answer = await service.get(`${PATH}?inactive=true&query=${encodeURIComponent(query)}`);
    expect(answer.text).toBe('[{"nodes":2}]');
  });

  it.each<[body: unknown, message: string]>([
    [{}, "query: an SQL statement is required"],
    [{ query: 1 }, "query: an SQL statement is required"],
    [{ query: "SELECT 1", timeout: 0 }, "timeout: a number of seconds above 0, not 0"],
    [{ query: "SELECT 1", timeout: "soon" }, 'timeout: a number of seconds above 0, not "soon"'],
    ['{"query": "SELECT 1", "inactive": 12345678901234567890123}', "inactive: true or false"],
    [{ query: "SELECT 1", sql: "SELECT 1" }, "Unsupported query parameter 'sql'"],
    ["[", "the body is not valid JSON"],
    ["[]", "the body must be an object"],
    [{ query: "DELETE FROM nodes" }, "SQL may only read"],
    [{ query: "FROM read_text('/etc/passwd')" }, "not files or the engine"],
    [{ query: "FROM nods" }, "nodes is the closest"],
    [{ query: "SELECT repeat('x', 1000000000)" }, "a server does not run the function repeat"],
    [{ query: "SELECT 1 AS \u0000" }, ""],
  ])("refuses %j", async (body, message) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
    expect(service.faults).toEqual([]);
  });

  it("streams a long result, and cancels a statement whose client leaves", async () => {
    const endless = "SELECT range AS n, 'some text that fills pieces' AS text FROM range(1000000000000)";
    const controller = new AbortController();
    const response = await fetch(`${service.url}${PATH}?query=${encodeURIComponent(endless)}`, {
      signal: controller.signal,
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(await activeConnections()).toBe(1);
    expect(new TextDecoder().decode(first?.value)).toMatch(/^\[\{"n":0,/);
    controller.abort();
    await expect(reader?.read()).rejects.toThrow(/aborted/);
    // Its connection is released, and closed.
    await expect.poll(activeConnections).toBe(0);
  });

  it("cancels a statement that takes too long", async () => {
    const answer = await post({ query: "SELECT count(*) FROM range(1000000000000) a, range(1000) b", timeout: 0.3 });
    expect(answer).toMatchObject({ status: 500, text: "Query exceeded timeout of 0.3 s" });
    await expect.poll(activeConnections).toBe(0);
  });

  it("is counted under its own name", async () => {
    const { text } = await service.get("/metrics");
    expect(text).toContain(PATH);
  });
});

it("SQL over HTTP is refused unless the setting allows it, with an alternative", async () => {
  await using off = await offService();
  for (const method of ["GET", "POST"] as const) {
    const answer = await off.service.send(method, PATH, method === "POST" ? "no JSON" : undefined, json);
    expect(answer.status).toBe(403);
    expect(answer.text).toMatch(/^SQL is off on this server\. Set allow-sql = true in section \[census\]/);
    expect(answer.text).toMatch(/census query.*census sql on an export or a backup/);
  }
});

async function offService(): Promise<{ service: Served } & AsyncDisposable> {
  const started = await serve(await emptyStore());
  return { service: started, [Symbol.asyncDispose]: () => started.close() };
}
