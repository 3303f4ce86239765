import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { SqlValue } from "#storage/engine/sql-value.ts";

let database: Database;
beforeEach(async () => {
  database = await Database.open({ threads: 2 });
  await database.execute("CREATE TABLE t (a INTEGER, b VARCHAR)");
  await database.execute("INSERT INTO t SELECT i % 3, 'x' || (i % 2) FROM range(6) s(i)");
});
afterEach(() => database.close());

/** The rows of an answer. */
const answer = async (sql: string, values: readonly SqlValue[] = []): Promise<string[]> => {
  const texts: string[] = [];
  for await (const some of database.texts({ sql, values })) texts.push(...some);
  return texts;
};

/** Far outside of what the table's statistics said before. */
const outliers =
  "INSERT INTO t VALUES (2000000000, 'a text much longer than the ones that were there'), (NULL, NULL), (-5, '')";

describe("a query repeated after a commit", () => {
  // Plans rely on the least and the greatest value, on whether there are NULLs and on how long texts are: one that was
  // made before the commit would leave rows out, fail, or bring the process down.
  it.each<[what: string, sql: string, before: string[], after: string[]]>([
    ["filters", "SELECT count(*)::VARCHAR FROM t WHERE a > 50", ["0"], ["1"]],
    ["tests for NULL", "SELECT count(*)::VARCHAR FROM t WHERE a IS NULL", ["0"], ["1"]],
    [
      "groups by numbers",
      "SELECT coalesce(a::VARCHAR, '-') || ' ' || c FROM (SELECT a, count(*) AS c FROM t GROUP BY a ORDER BY a NULLS LAST)",
      ["0 2", "1 2", "2 2"],
      ["-5 1", "0 2", "1 2", "2 2", "2000000000 1", "- 1"],
    ],
    [
      "groups by texts",
      "SELECT coalesce(left(b, 6), '-') || ' ' || c FROM (SELECT b, count(*) AS c FROM t GROUP BY b ORDER BY b NULLS LAST)",
      ["x0 3", "x1 3"],
      [" 1", "a text 1", "x0 3", "x1 3", "- 1"],
    ],
    [
      "orders",
      "SELECT coalesce(a::VARCHAR, '-') FROM (SELECT a, b FROM t ORDER BY a DESC NULLS FIRST, b LIMIT 3)",
      ["2", "2", "1"],
      ["-", "2000000000", "2"],
    ],
    [
      "joins",
      "SELECT count(*)::VARCHAR FROM t x JOIN t y ON x.a = y.a AND x.b = y.b",
      // i and i + 3 have the same a, but another b
      ["6"],
      ["8"],
    ],
  ])("sees the state after the commit: %s", async (_what, sql, before, after) => {
    for (let times = 0; times < 3; times++) expect(await answer(sql)).toEqual(before);
    await database.execute(outliers);
    expect(await answer(sql)).toEqual(after);
  });

  it("counts the rows that a transaction did not delete", async () => {
    const count = "SELECT count(*)::VARCHAR FROM t WHERE b LIKE $1";
    expect(await answer(count, ["x%"])).toEqual(["6"]);
    await database.transaction(async (tx) => {
      await tx.execute("t", "DELETE FROM t WHERE b = $1", ["x0"]);
      expect(await answer(count, ["x%"])).toEqual(["6"]);
    });
    expect(await answer(count, ["x%"])).toEqual(["3"]);
  });

  it("sees a new column", async () => {
    const columns = "SELECT to_json(t)::VARCHAR FROM t ORDER BY a LIMIT $1";
    expect(await answer(columns, [1])).toEqual(['{"a":0,"b":"x0"}']);
    await database.execute("ALTER TABLE t ADD COLUMN c INTEGER");
    expect(await answer(columns, [1])).toEqual(['{"a":0,"b":"x0","c":null}']);
  });

  it("finds a table that was dropped and created again", async () => {
    const all = "SELECT count(*)::VARCHAR FROM t WHERE $1";
    expect(await answer(all, [true])).toEqual(["6"]);
    await database.transaction(async (tx) => {
      await tx.execute("other", "CREATE TABLE other AS SELECT * FROM t LIMIT 2");
      await tx.execute("t", "DROP TABLE t");
      await tx.execute("other", "ALTER TABLE other RENAME TO t");
    });
    expect(await answer(all, [true])).toEqual(["2"]);
  });
});

describe("the same query with other values", () => {
  it("returns the result for these values", async () => {
    const sql = "SELECT count(*)::VARCHAR FROM t x JOIN t y ON x.a = y.a WHERE x.a = $1 AND y.b = $2";
    for (const [a, b, expected] of [
      [0, "x0", "2"],
      [2, "x1", "2"],
      [7, "x1", "0"],
      [0, "x0", "2"],
    ] as const) {
      expect(await answer(sql, [a, b])).toEqual([expected]);
    }
  });

  it("accepts values of other types", async () => {
    const types: string[] = [];
    for (const value of ["1", 1, 1n, true, 0.5, ["1"], "1"])
      types.push(...(await answer("SELECT typeof($1)", [value])));
    expect(types).toEqual(["VARCHAR", "INTEGER", "BIGINT", "BOOLEAN", "DOUBLE", "VARCHAR[]", "VARCHAR"]);
  });

  it("works after values with which it failed", async () => {
    const sql = "SELECT ($1::VARCHAR)::INTEGER::VARCHAR";
    expect(await answer(sql, ["1"])).toEqual(["1"]);
    await expect(answer(sql, ["x"])).rejects.toThrow(/Could not convert/);
    expect(await answer(sql, ["2"])).toEqual(["2"]);
  });
});

it("a very long query returns its result, twice", async () => {
  const sql = `SELECT ($1 IN (${Array.from({ length: 10_000 }, (_, n) => n).join(", ")}))::VARCHAR`;
  for (let times = 0; times < 2; times++) expect(await answer(sql, [9999])).toEqual(["true"]);
});

interface Step {
  readonly operator_type: string;
  readonly operator_rows_scanned: number;
  readonly operator_cardinality: number;
  readonly children: readonly Step[];
}

/** The steps of a query that read a table. */
const scansOf = async (sql: string): Promise<Step[]> => {
  const [row] = await database.rows<{ explain_value: string }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`);
  const scans = (step: Step): Step[] => [
    ...(step.operator_type === "TABLE_SCAN" ? [step] : []),
    ...step.children.flatMap(scans),
  ];
  return scans(JSON.parse(row?.explain_value ?? "") as Step);
};

/** The most rows that one step of a query reads from a table. */
const rowsScanned = async (sql: string): Promise<number> =>
  Math.max(...(await scansOf(sql)).map(({ operator_rows_scanned: count }) => count));

describe("a join with keys that are far apart in a table", () => {
  const ROW_GROUP = 122_880;
  const ROW_GROUPS = 5;

  it("reads only the row groups in which one of the keys can be", async () => {
    await database.execute(
      `CREATE TABLE words AS SELECT i AS id, 'word ' || i AS word FROM range(${ROW_GROUPS * ROW_GROUP}) s(i)`,
    );
    const sql = (few: number): string =>
      `WITH keys AS MATERIALIZED (SELECT CASE WHEN i % 2 = 0 THEN i ELSE ${ROW_GROUPS * ROW_GROUP} - i END AS id FROM range(1, ${few}) s(i))
        SELECT word FROM keys JOIN words ON words.id = keys.id`;
    expect(await rowsScanned(sql(1000))).toBeLessThanOrEqual(2 * ROW_GROUP);
    // More keys than are compared one by one: the rows between the least and the greatest are read.
    expect(await rowsScanned(sql(5000))).toBeGreaterThan(4 * ROW_GROUP);
  });
});
