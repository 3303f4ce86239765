import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { populatedStore } from "#test/fixture-store.ts";
import { serve, type Served } from "../fixture-service.ts";
import { apiPath } from "./api-path.ts";

let service: Served;
let off: Served;

beforeAll(async () => {
  service = await serve(await populatedStore(), { explorer: { sql: true } });
  off = await serve(await populatedStore(), { queries: { sql: true } });
});
afterAll(async () => {
  await service.close();
  await off.close();
});

const json = { "content-type": "application/json" };

/** The settings that `about` returns. */
async function settings(from: Served): Promise<unknown> {
  const { text } = await from.get(apiPath("about", {}));
  return (JSON.parse(text) as { settings: unknown }).settings;
}

async function run(query: string): ReturnType<Served["get"]> {
  return service.get(apiPath("sql", { query }));
}

describe("SQL of the workbench", () => {
  it("returns the rows of a SELECT, for a GET and a POST", async () => {
    const query = "SELECT certname FROM nodes ORDER BY certname";
    const { status, text, headers } = await run(query);
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(JSON.parse(text)).toEqual(
      (JSON.parse((await service.get("/pdb/query/v4/nodes")).text) as { certname: string }[])
        .map(({ certname }) => ({ certname }))
        .sort((one, other) => (one.certname < other.certname ? -1 : 1)),
    );
    expect((await service.send("POST", apiPath("sql", {}), JSON.stringify({ query }), json)).text).toBe(text);
  });

  it("returns at most 5,001 rows of an endless result", async () => {
    const rows = JSON.parse((await run("SELECT range AS n FROM range(1000000000000)")).text) as { n: number }[];
    expect([rows.length, rows.at(-1)]).toEqual([5001, { n: 5000 }]);
    expect(JSON.parse((await run("SELECT range AS n FROM range(3)")).text)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
  });

  const target = join(tmpdir(), `census-sql-${process.pid}.csv`);

  it.each([
    "DELETE FROM nodes",
    "UPDATE nodes SET certname = 'x'",
    "DROP VIEW nodes",
    "CREATE TABLE t AS SELECT 1",
    `COPY nodes TO '${target}'`,
    `COPY (SELECT 1) TO '${target}' (FORMAT csv); SELECT 1`,
    "SELECT * FROM read_text('/etc/passwd')",
    "FROM '/etc/passwd'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM glob('/*')",
    "SELECT getenv('HOME')",
    `ATTACH '${target}' AS other`,
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET memory_limit = '100GB'",
    "PRAGMA database_list",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM information_schema.tables",
    "CALL pragma_version()",
    "EXPORT DATABASE '/tmp/x'",
    "SELECT repeat('x', 1000000000)",
    "SELECT 1; SELECT 2",
    "SELECT 1 AS \u0000",
    "",
    "(".repeat(5000),
  ])("refuses %j", async (query) => {
    const { status, headers } = await run(query);
    expect([status, headers["content-type"]]).toEqual([400, "text/plain;charset=utf-8"]);
    expect(existsSync(target)).toBe(false);
    expect(service.faults).toEqual([]);
  });

  it("ends a statement that takes longer than is allowed, and answers others meanwhile", async () => {
    const endless = service.get(
      apiPath("sql", { query: "SELECT count(*) FROM range(1000000000000) a, range(1000) b", timeout: "1" }),
    );
    expect((await run("SELECT 1 AS one")).text).toBe('[{"one":1}]');
    expect(await endless).toMatchObject({ status: 500, text: "Query exceeded timeout of 1 s" });
  });

  it("writes all rows of a statement as a file, in the format that is wanted", async () => {
    const query = "SELECT range AS n, 'x,' || range AS text FROM range(7000) ORDER BY n";
    const { status, text, headers } = await service.get(apiPath("sql/rows", { query, format: "csv", name: "my rows" }));
    expect([status, headers["content-disposition"]]).toEqual([200, 'attachment; filename="my-rows-2026-11-21.csv"']);
    const lines = text.trimEnd().split(/\r?\n/);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([7001, "n,text", '6999,"x,6999"']);
    const html = await service.get(apiPath("sql/rows", { query: "SELECT '<b>' AS a", format: "html" }));
    expect(html.text).toContain("&lt;b&gt;");
    const wrong = await service.get(apiPath("sql/rows", { query, format: "parquet" }));
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("parameter 'format' must be one of csv")]);
    const bad = await service.get(
      apiPath("sql/rows", { query: "SELECT * FROM read_text('/etc/passwd')", format: "csv" }),
    );
    expect(bad.status).toBe(400);
    expect((await off.get(apiPath("sql/rows", { query, format: "csv" }))).status).toBe(403);
  });

  it("is off unless its own setting is on, even where allow-sql is, which about returns", async () => {
    const refused = await off.get(apiPath("sql", { query: "SELECT 1" }));
    expect(refused.status).toBe(403);
    expect(refused.text).toMatch(/^SQL is off in this explorer\. Set explorer-sql = true in section \[census\]/);
    expect(await settings(service)).toMatchObject({ sql: true });
    expect(await settings(off)).toMatchObject({ sql: false });
  });
});
