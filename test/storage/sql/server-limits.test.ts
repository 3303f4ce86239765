import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import type { Sql } from "#storage/sql/sql.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, submitted } from "#test/fixture-store.ts";

let store: Store;
let served: Sql;
let local: Sql;

beforeAll(async () => {
  store = await emptyStore();
  await submitted(store, a.facts("web-01.example", { values: { kernel: "Linux" } }));
  served = await store.sql({ isServed: true });
  local = await store.sql();
});
afterAll(async () => {
  served.close();
  local.close();
  await store.close();
});

async function rows(session: Sql, statement: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of await session.run(statement)) found.push(...batch.map(parseJson));
  return found;
}

const many = (count: number): string =>
  `SELECT count(*) FROM nodes${Array.from({ length: count - 1 }, (_, index) => ` JOIN nodes n${index} USING (certname)`).join("")}`;

describe("a statement of a client of a server", () => {
  // Each takes seconds that cannot be interrupted, or gigabytes, with larger numbers.
  it.each<[statement: string, message: string]>([
    ["SELECT repeat(certname, 3) FROM nodes", "a server does not run the function repeat"],
    ["SELECT LPAD(certname, 3, 'x') FROM nodes", "the function lpad"],
    ["SELECT certname FROM nodes ORDER BY rpad(certname, 3, 'x')", "the function rpad"],
    ["SELECT count(*) FROM nodes WHERE length(printf('%30d', 1)) > 1", "the function printf"],
    ["SELECT format('{:300}', certname) FROM nodes", "the function format"],
    ["SELECT len(list_resize([certname], 30)) FROM nodes", "the function list_resize"],
    ["SELECT bitstring('1', 300)", "the function bitstring"],
    ["SELECT [l for x in l] FROM (SELECT list(certname) AS l FROM nodes)", "the function list_apply"],
    ["SELECT list_reduce(['a', 'b'], lambda x, y: x || x)", "the function list_reduce"],
    ["SELECT len(range(30)) FROM nodes", "a server runs range in FROM only"],
    ["FROM range(len(generate_series(1, 30)))", "a server runs generate_series in FROM only"],
    ["SELECT replace(certname, 'e', certname) FROM nodes", "texts of at most 32 characters"],
    [`SELECT regexp_replace(certname, 'e', '${"x".repeat(33)}', 'g') FROM nodes`, "texts of at most 32 characters"],
    [`SELECT ${"replace(".repeat(5)}certname${", 'e', 'ee')".repeat(5)} FROM nodes`, "at most 4 times"],
    ["SELECT hex(to_base64(encode(url_encode(certname)))) FROM nodes", "functions such as url_encode at most 2 times"],
    [many(33), "at most 32 views"],
    [`SELECT 1 -- ${"x".repeat(65_536)}`, "at most 65536 characters"],
    // What the engine itself refuses.
    [`SELECT ${"(".repeat(30_000)}1${")".repeat(30_000)}`, "memory exhausted"],
    [`SELECT ${"1+".repeat(30_000)}1`, "Max expression depth"],
    ["SELECT count(*) FROM read_csv('/etc/passwd')", "not files or the engine"],
    ["COPY nodes TO '/tmp/census-sql-leak.csv'", "SQL may only read"],
    ["ATTACH '/tmp/census-sql-leak.db'", "SQL may only read"],
    ["INSTALL httpfs", "SQL may only read"],
    ["PRAGMA database_list", "SQL may only read"],
    ["SET memory_limit = '1TB'", "SQL may only read"],
  ])("is refused: %.60s", async (statement, message) => {
    const error: unknown = await rows(served, statement).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "SqlError", code: "bad-input" });
    expect((error as Error).message).toContain(message);
  });

  it.each<[statement: string, found: unknown[]]>([
    ["SELECT replace(certname, '.example', '') AS name FROM nodes", [{ name: "web-01" }]],
    ["SELECT certname || ' ' || certname AS twice FROM nodes", [{ twice: "web-01.example web-01.example" }]],
    ["SELECT count(*) AS count FROM range(5)", [{ count: 5 }]],
    ["SELECT list_filter([1, 2, 3], lambda x: x > 1) AS l", [{ l: [2, 3] }]],
    [many(32), [{ "count_star()": 1 }]],
  ])("may be %.60s", async (statement, found) => {
    expect(await rows(served, statement)).toStrictEqual(found);
  });

  it("may use fewer functions than a statement on this machine", async () => {
    expect(await rows(local, "SELECT repeat(certname, 2) AS twice FROM nodes")).toStrictEqual([
      { twice: "web-01.exampleweb-01.example" },
    ]);
  });
});
