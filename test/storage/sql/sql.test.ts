import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openArchive } from "#cli/sources/archive.ts";
import { isObject, type Json, parseJson } from "#storage/json.ts";
import { duckdb } from "#storage/engine/duckdb.ts";
import { allowedFunctions, allowedTableFunctions } from "#storage/sql/allowed-functions.ts";
import type { Sql } from "#storage/sql/sql.ts";
import { notedNothing } from "#storage/origins/origin-node.ts";
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
  await store.origins.begin([{ name: "eu", url: "http://127.0.0.1:1" }]);
  await store.origins.settle("eu", [notedNothing("packaged.example.com")]);
  sql = await store.sql();
});
afterAll(async () => {
  sql.close();
  await store.close();
});

async function selected(statement: string, session: Sql = sql): Promise<Json[]> {
  const rows: string[] = [];
  for await (const batch of await session.run(statement)) rows.push(...batch);
  return rows.map(parseJson);
}

/** The rows of a query, sorted, and with sorted lists. */
async function queried(entity: string): Promise<string[]> {
  // Of reports a query shows those of agents unless it says something about their type.
  const all: Json[] = entity === "reports" ? [["~", "type", "."]] : [];
  const { rows } = await store.queries.run(store.queries.plan({ of: "root", query: ["from", entity, ...all] }));
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
  // An archive has no changes: `test/storage/history/entities.test.ts` compares those.
  it.each(views.map(({ name }) => name).filter((name) => !name.endsWith("_changes")))(
    "%s has the rows of a query of that entity",
    async (name) => {
      const answer = await queried(name);
      const [first] = answer.map((text) => JSON.parse(text) as Json);
      const isBare = !isObject(first);
      const shown = await selected(`SELECT * FROM ${name}`);
      const known = new Set(isObject(first) ? Object.keys(first) : ["name"]);
      const rows = shown.map((row) => {
        const members = Object.entries(row as Record<string, Json>).filter(([key]) => known.has(key));
        return settled(isBare ? (members[0]?.[1] ?? null) : Object.fromEntries(members));
      });
      expect(answer.length).toBeGreaterThan(0);
      expect(rows.toSorted()).toStrictEqual(answer);
    },
  );

  it.each(views.map((view) => [view.name, view] as const))("%s has the documented columns", async (name, view) => {
    const described = (await selected(`DESCRIBE ${name}`)) as { column_name: string; column_type: string }[];
    const columns = described.map((column) => ({ name: column.column_name, type: column.column_type }));
    expect(columns).toStrictEqual(view.columns);
  });

  it("includes data of inactive nodes on request", async () => {
    const all = await store.sql({ inactive: true });
    const count = "SELECT count(*) AS count FROM nodes";
    expect([await selected(count), await selected(count, all)]).toStrictEqual([[{ count: 40 }], [{ count: 41 }]]);
    all.close();
  });
});

describe("values are converted to JSON", () => {
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
    for await (const batch of await sql.run(`SELECT ${expression} AS v`)) rows.push(...batch);
    expect(rows).toStrictEqual([`{"v":${text}}`]);
  });

  it("also of columns with equal names", async () => {
    expect(await selected("SELECT 1 AS a, 2 AS a, 3 AS b")).toStrictEqual([{ a: 1, a_2: 2, b: 3 }]);
  });
});

const onlyReads = "SQL may only read: one SELECT, and nothing else";
const noFiles = /^SQL can read the views only, not files/;
const noFunction = /^the function ".+" cannot be used here/;
const noView = /^there is no view /;

describe("statements that do more than read are refused", () => {
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
    ["FROM 'package.json'", noView],
    ["EXPLAIN SELECT 1", onlyReads],
    ["SELECT 1; EXPORT DATABASE '/tmp/census-sql-leak'", onlyReads],
    ["IMPORT DATABASE '/tmp/census-sql-leak'", onlyReads],
    ["PIVOT nodes ON report_environment USING count(*)", onlyReads],
    ["SELECT 1; SELECT 2", onlyReads],
    ["SELECT write_log('x')", noFunction],
    ["SELECT main.write_log('x')", noFunction],
    ["SELECT \"WRITE_LOG\"('x')", noFunction],
    ["SELECT ('x').write_log()", noFunction],
    ["SELECT list_transform([1], lambda x: write_log('x'))", noFunction],
    ["SELECT certname FROM nodes ORDER BY write_log(certname)", noFunction],
    ["SELECT 1 LIMIT (SELECT pg_sleep(100)::INT)", noFunction],
    ["SELECT pg_sleep(100)", noFunction],
    ["SELECT sleep_ms(100000)", noFunction],
    ["SELECT current_setting('home_directory')", noFunction],
    ["SELECT pg_catalog.current_setting('temp_directory')", noFunction],
    ["SELECT getenv('HOME')", noFunction],
    ["SELECT getvariable('x')", noFunction],
    ["SELECT nextval('x')", noFunction],
    ["SELECT setseed(0.5)", noFunction],
    ["SELECT json_serialize_plan('SELECT 1')", noFunction],
    ["SELECT census_contains('[1]', '[1]')", noFunction],
    ["SELECT sum(1) OVER (ORDER BY current_setting('threads'))", noFunction],
    ["SELECT * FROM duckdb_settings()", noFiles],
    ["FROM duckdb_settings()", noFiles],
    ["FROM nodes, duckdb_logs()", noFiles],
    ["FROM (SUMMARIZE FROM duckdb_settings())", noFiles],
    ["DESCRIBE FROM duckdb_settings()", noFiles],
    ["WITH a AS (FROM duckdb_memory()) FROM a", noFiles],
    ["SELECT (SELECT count(*) FROM duckdb_extensions())", noFiles],
    ["FROM query('SELECT 1')", noFiles],
    ["FROM query_table(['nodes'])", noFiles],
    ["FROM histogram('nodes', certname)", noFiles],
    ["FROM sniff_csv('/etc/passwd')", noFiles],
    ["FROM parquet_metadata('/etc/passwd')", noFiles],
    ["FROM read_blob('/etc/passwd')", noFiles],
    ["FROM enable_logging()", noFiles],
    ["FROM force_checkpoint()", noFiles],
    ["FROM json_execute_serialized_sql('{}')", noFiles],
    ["FROM pragma_database_size()", noFiles],
    ["FROM memory.main.nodes", noView],
    ["FROM main.nodes", noView],
    ["FROM main.fact_leaves", noView],
    ["FROM pg_catalog.pg_settings", noView],
    ["FROM pg_settings", noView],
    ["FROM duckdb_databases", noView],
    ["FROM information_schema.tables", noView],
    ["FROM sqlite_master", noView],
    // A name that WITH gives is known where it counts, and nowhere else.
    ["SELECT * FROM duckdb_logs, (WITH duckdb_logs AS (SELECT 1) FROM duckdb_logs)", noView],
    ["WITH duckdb_logs AS (FROM duckdb_logs) FROM duckdb_logs", noView],
    ["WITH a AS (FROM duckdb_logs), duckdb_logs AS (SELECT 1) FROM a", noView],
    ["SHOW ALL TABLES", /^SQL can read the views only/],
    ["SHOW DATABASES", /^SQL can read the views only/],
    ["SHOW TABLES FROM memory", /^SQL can read the views only/],
  ])("%s", async (statement, message) => {
    await expect(selected(statement)).rejects.toThrow(message);
    expect(await selected("SELECT count(*) AS count FROM nodes")).toStrictEqual([{ count: 40 }]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("census-sql-leak"))).toStrictEqual([]);
  });
});

describe("statements that only read and compute are accepted", () => {
  it.each([
    "SELECT upper(certname), length(certname) + 1, certname LIKE 'a%' ESCAPE '!' FROM nodes",
    "FROM temp.nodes",
    "TABLE temp.main.facts",
    "SHOW TABLES",
    "SUMMARIZE nodes",
    "DESCRIBE SELECT 1 AS one",
    "VALUES (1, 'a'), (2, 'b')",
    "WITH active AS (FROM nodes), named AS (SELECT certname FROM active) FROM named",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) FROM n",
    "WITH Mine AS (SELECT 1) FROM MINE",
    "FROM NODES",
    "SELECT [x * 2 for x in [1, 2, 3] if x > 1], list_aggregate([1, 2], 'sum'), {'a': 1}.a, MAP {'k': 1}['k']",
    "SELECT row_number() OVER w, lag(certname) OVER w FROM nodes WINDOW w AS (ORDER BY certname)",
    "SELECT quantile_cont(x, 0.5), histogram(x), string_agg(x::VARCHAR, ',') FROM range(5) AS r(x)",
    "SELECT key, value FROM json_each('{\"a\": 1}')",
    "SELECT now(), current_date, current_timestamp, EXTRACT(year FROM now()), date_trunc('day', now()), uuid(), random()",
    "SELECT '2026-11-20'::DATE AT TIME ZONE 'UTC', INTERVAL 1 DAY, strftime(now(), '%Y'), ago(INTERVAL 1 HOUR)",
    "SELECT ('{\"a\":[1]}'::JSON) -> 'a' ->> 0, json_extract('{}', '$.a'), json_group_array(1)",
    "SELECT regexp_matches('a', 'b'), regexp_extract('a', '(b)', 1), 'a' SIMILAR TO 'b', 'a' GLOB 'b', split_part('a', '/', 1)",
    "FROM nodes ANTI JOIN reports USING (certname)",
    "PIVOT nodes ON report_environment IN ('production') USING count(*)",
    "FROM (UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b INTO NAME n VALUE v)",
    "SELECT unnest([1, 2]), count(*) FILTER (WHERE true) FROM nodes GROUP BY ALL",
    "SELECT DISTINCT ON (name) name, TRY_CAST(value AS INT) FROM facts ORDER BY ALL LIMIT 3",
    "SELECT certname FROM nodes UNION SELECT certname FROM reports EXCEPT SELECT 'x' ORDER BY 1 LIMIT 1",
    "SELECT COLUMNS('c.*'), * EXCLUDE (certname) FROM nodes TABLESAMPLE 10%",
    "-- ä comment\nSELECT 'ä' AS \"ö\"",
  ])("%s", async (statement) => {
    await expect(selected(statement)).resolves.toBeInstanceOf(Array);
  });

  it("the list of allowed functions contains existing functions only", async () => {
    const instance = await (await duckdb()).DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const found = await connection.runAndReadAll("SELECT DISTINCT lower(function_name) FROM duckdb_functions()");
    const known = new Set(found.getRows().flat());
    // Made of the syntax, never looked up by their name.
    const ofSyntax = ["->", "unnest", "user"];
    const ours = ["version_key"];
    const elsewhere = new Set([...ofSyntax, ...ours]);
    const missing = [...allowedFunctions, ...allowedTableFunctions].filter(
      (name) => !known.has(name) && !elsewhere.has(name),
    );
    connection.closeSync();
    instance.closeSync();
    expect(missing).toStrictEqual([]);
  });
});

it("orders versions of packages as their providers do", async () => {
  const rows = await selected(`SELECT version FROM (VALUES ('1.10'), ('1.9'), ('1.9~rc1'), (NULL)) AS t(version)
    ORDER BY version_key(version, 'apt') NULLS FIRST`);
  expect(rows).toStrictEqual([null, "1.9~rc1", "1.9", "1.10"].map((version) => ({ version })));
  const [same] = await selected("SELECT version_key('1.0.rc1', 'gem') < version_key('1.0', 'gem') AS less");
  expect(same).toStrictEqual({ less: true });
});

describe("an error names the unknown name and similar ones", () => {
  it.each<[statement: string, message: string]>([
    ["SELECT * FROM nods", 'there is no view "nods"; nodes is the closest (line 1, at "nods")'],
    [
      "SELECT *\nFROM fact_leaves",
      'there is no view "fact_leaves"; fact_names is the closest (line 2, at "fact_leaves")',
    ],
    ["SELECT * FROM fact_path_ids_x_y", 'there is no view "fact_path_ids_x_y"; there are nodes, environments,'],
    ["SELECT certnam FROM facts", 'there is no column "certnam"; near are certname'],
    [`SELECT * FROM resources WHERE title = "nginx"`, "; a text is in single quotes: 'nginx' (line 1"],
    [
      "SELECT * FROM resources\nWHERE type = 'File' AND parameters->>'mode' = '0777'",
      "put what -> and ->> take in parentheses, (parameters->>'mode') = '0777': = and AND come before them (line 2",
    ],
    ["SELECT f.nam FROM facts f", 'f has no column "nam"'],
    ["SELEC 1", 'syntax error at or near "SELEC" (line 1, at "SELEC")'],
    ["SELECT $1", "there are no parameters here: write the values themselves"],
    ["SELECT sum(certname) FROM nodes", "No function matches"],
    ["SELECT 'a'::INT", "Could not convert string 'a' to INT32"],
    ["", "there is no statement"],
    ["  ;", "there is no statement"],
  ])("%j", async (statement, message) => {
    const error: unknown = await selected(statement).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "SqlError", code: "bad-input" });
    expect((error as Error).message).toContain(message);
  });
});

it("ends when it is interrupted, and accepts the next query", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const endless = "SELECT count(*) FROM range(1000000000000) a, range(1000) b";
  const answer = sql.run(endless, { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await expect(answer).rejects.toBe(reason);
  for await (const batch of await sql.run("SELECT range FROM range(100000)")) {
    expect(batch.length).toBeGreaterThan(0);
    break;
  }
  expect(await selected("SELECT 1 AS one")).toStrictEqual([{ one: 1 }]);
});
