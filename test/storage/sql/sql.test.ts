import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openArchive } from "#cli/sources/archive.ts";
import { isObject, type Json, parseJson } from "#storage/json.ts";
import type { Sql } from "#storage/sql/sql.ts";
import { views } from "#storage/sql/views.ts";
import type { Store } from "#storage/store.ts";
import { a } from "#test/fixture-store.ts";

let store: Store;
let sql: Sql;

beforeAll(async () => {
  // In memory it could be written to, were it not for the guards.
  ({ store } = await openArchive("fixtures/sample.tgz", { cached: false }));
  await store.submit(a.deactivation("gateway-0000.tollhouse.saltmarsh.example", "2026-11-20T11:59:00Z"));
  await store.submit(a.facts("packaged.example.com", { package_inventory: [["bash", "5.2", "dpkg"]] }));
  sql = await store.sql();
});
afterAll(async () => {
  sql.close();
  await store.close();
});

async function ask(statement: string, session: Sql = sql): Promise<Json[]> {
  const rows: string[] = [];
  for await (const batch of await session.ask(statement)) rows.push(...batch);
  return rows.map(parseJson);
}

/** The answer to a query, whatever the order of its rows and of the lists in them. */
async function queried(entity: string): Promise<string[]> {
  // Of reports a query shows those of agents unless it says something about their type.
  const all: Json[] = entity === "reports" ? [["~", "type", "."]] : [];
  const { rows } = await store.ask(store.plan({ of: "root", query: ["from", entity, ...all] }));
  const texts: string[] = [];
  for await (const batch of rows) texts.push(...batch.texts());
  return texts.map((text) => settled(parseJson(text))).toSorted();
}

function settled(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(settled).toSorted().join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${settled(member)}`);
  return `{${members.toSorted().join(",")}}`;
}

describe("a view", () => {
  it.each(views.map(({ name }) => name))("%s shows what a query of that entity answers", async (name) => {
    const answer = await queried(name);
    const [first] = answer.map((text) => JSON.parse(text) as Json);
    const isBare = !isObject(first);
    const shown = await ask(`SELECT * FROM ${name}`);
    const known = new Set(isObject(first) ? Object.keys(first) : ["name"]);
    const rows = shown.map((row) => {
      const members = Object.entries(row as Record<string, Json>).filter(([key]) => known.has(key));
      return settled(isBare ? (members[0]?.[1] ?? null) : Object.fromEntries(members));
    });
    expect(answer.length).toBeGreaterThan(0);
    expect(rows.toSorted()).toStrictEqual(answer);
  });

  it.each(views.map((view) => [view.name, view] as const))(
    "%s has the columns it is said to have",
    async (name, view) => {
      const described = (await ask(`DESCRIBE ${name}`)) as { column_name: string; column_type: string }[];
      const columns = described.map((column) => ({ name: column.column_name, type: column.column_type }));
      expect(columns).toStrictEqual(view.columns);
    },
  );

  it("shows what belongs to inactive nodes when that is asked for", async () => {
    const all = await store.sql({ inactive: true });
    const count = "SELECT count(*) AS count FROM nodes";
    expect([await ask(count), await ask(count, all)]).toStrictEqual([[{ count: 40 }], [{ count: 41 }]]);
    all.close();
  });
});

describe("values become JSON", () => {
  it.each([
    ["12345678901234567890123::HUGEINT", "12345678901234567890123"],
    ["1.50::DECIMAL(4, 2)", "1.50"],
    ["'NaN'::DOUBLE", '"NaN"'],
    ["0.1::DOUBLE", "0.1"],
    ["true", "true"],
    ["NULL", "null"],
    ["TIMESTAMP '2026-11-20 12:00:00.5'", '"2026-11-20T12:00:00.500Z"'],
    ["DATE '2026-11-20'", '"2026-11-20"'],
    ["[1, NULL]", "[1,null]"],
    ["{'a': 'x\"y', 'b': [TRUE]}", '{"a":"x\\"y","b":[true]}'],
    ["MAP {'k': 1.5::DOUBLE}", '{"k":1.5}'],
    ["'{\"a\":\n 1.0}'::JSON", '{"a":1.0}'],
    ["['{\"n\": 1e400}'::JSON]", '[{"n": 1e400}]'],
    ["INTERVAL 1 DAY", '"1 day"'],
  ])("%s", async (expression, text) => {
    const rows: string[] = [];
    for await (const batch of await sql.ask(`SELECT ${expression} AS v`)) rows.push(...batch);
    expect(rows).toStrictEqual([`{"v":${text}}`]);
  });

  it("of columns that have one name", async () => {
    expect(await ask("SELECT 1 AS a, 2 AS a, 3 AS b")).toStrictEqual([{ a: 1, a_2: 2, b: 3 }]);
  });
});

const onlyReads = "SQL may only read: one SELECT, and nothing else";
const noFiles = /^SQL reads the views alone, no files/;

describe("nothing but reading is possible", () => {
  it.each<[statement: string, message: string | RegExp]>([
    ["DELETE FROM nodes", onlyReads],
    ["INSERT INTO nodes SELECT * FROM nodes", onlyReads],
    ["DELETE FROM memory.main.nodes", onlyReads],
    ["INSERT INTO memory.main.nodes (id, certname) VALUES (1, 'x')", onlyReads],
    ["UPDATE memory.main.nodes SET certname = 'x'", onlyReads],
    ["CREATE TABLE memory.main.mine (a INT)", onlyReads],
    ["CREATE TEMP TABLE mine (a INT)", /./],
    ["DROP VIEW nodes", onlyReads],
    ["DROP TABLE memory.main.nodes", onlyReads],
    ["SELECT 1; DROP TABLE memory.main.nodes", onlyReads],
    ["EXPLAIN ANALYZE DELETE FROM memory.main.nodes", onlyReads],
    ["WITH gone AS (DELETE FROM memory.main.nodes RETURNING *) SELECT * FROM gone", /./],
    ["COMMIT", onlyReads],
    ["SET threads = 1", onlyReads],
    ["PRAGMA enable_profiling", onlyReads],
    ["RESET enable_external_access", onlyReads],
    ["CALL enable_logging()", onlyReads],
    ["ATTACH ':memory:' AS other", onlyReads],
    ["INSTALL httpfs", onlyReads],
    ["LOAD httpfs", onlyReads],
    ["CHECKPOINT", onlyReads],
    ["VACUUM", onlyReads],
    ["COPY nodes TO '/tmp/census-sql-leak.csv'", /./],
    ["EXPORT DATABASE '/tmp/census-sql-leak'", /./],
    ["SELECT * FROM read_text('/etc/passwd')", noFiles],
    ["SELECT * FROM read_csv('/etc/passwd')", noFiles],
    ["SELECT * FROM glob('/etc/*')", noFiles],
    ["SELECT * FROM read_parquet('https://example.com/x.parquet')", noFiles],
    ["SELECT * FROM '/etc/passwd'", /there is no view "\/etc\/passwd"/],
    ["FROM 'package.json'", /./],
  ])("%s", async (statement, message) => {
    await expect(ask(statement)).rejects.toThrow(message);
    expect(await ask("SELECT count(*) AS count FROM nodes")).toStrictEqual([{ count: 40 }]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("census-sql-leak"))).toStrictEqual([]);
  });
});

describe("a mistake is told by its name, with what is near", () => {
  it.each<[statement: string, message: string]>([
    ["SELECT * FROM nods", 'there is no view "nods"; nodes is the closest (line 1, at "nods")'],
    [
      "SELECT *\nFROM fact_leaves",
      'there is no view "fact_leaves"; fact_names is the closest (line 2, at "fact_leaves")',
    ],
    ["SELECT * FROM fact_path_ids_x_y", 'there is no view "fact_path_ids_x_y"; there are nodes, environments,'],
    ["SELECT certnam FROM facts", 'there is no column "certnam"; near are certname'],
    ["SELECT f.nam FROM facts f", 'f has no column "nam"'],
    ["SELEC 1", 'syntax error at or near "SELEC" (line 1, at "SELEC")'],
    ["SELECT $1", "there are no parameters here: write the values themselves"],
    ["SELECT sum(certname) FROM nodes", "No function matches"],
    ["SELECT 'a'::INT", "Could not convert string 'a' to INT32"],
    ["", "there is no statement"],
    ["  ;", "there is no statement"],
  ])("%j", async (statement, message) => {
    const error: unknown = await ask(statement).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "SqlError", code: "bad-input" });
    expect((error as Error).message).toContain(message);
  });
});

it("ends when it is told to, and takes the next question", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const endless = "SELECT count(*) FROM range(1000000000000) a, range(1000) b";
  const answer = sql.ask(endless, { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await expect(answer).rejects.toBe(reason);
  for await (const batch of await sql.ask("SELECT range FROM range(100000)")) {
    expect(batch.length).toBeGreaterThan(0);
    break;
  }
  expect(await ask("SELECT 1 AS one")).toStrictEqual([{ one: 1 }]);
});
