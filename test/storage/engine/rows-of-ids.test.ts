import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { deleteRowsOf, isOneOf, rowsOfIds } from "#storage/engine/rows-of-ids.ts";

const ROWS = 20_000;

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 1 });
  await database.execute(
    `CREATE TABLE things AS SELECT range::INTEGER AS id, 'text ' || range AS text FROM range(${ROWS})`,
  );
});
afterAll(() => database.close());

/** Ids far apart, in no order. */
const idsOf = (count: number): number[] => Array.from({ length: count }, (_, at) => (at * 7919) % ROWS);

const inOrder = (ids: readonly number[]): number[] => ids.toSorted((one, other) => one - other);

/** How many statements look up some ids in a table with long texts of `wideOf` nodes. */
function lookups(count: number, wideOf: number): number {
  return rowsOfIds("things", "id", idsOf(count), wideOf).split("UNION ALL").length;
}

describe("rows of ids", () => {
  it.each([0, 1, 2, 8, 9, 64, 65, 1000])("are found for %d ids", async (count) => {
    for (const wideOf of [undefined, 10, 5000, Infinity]) {
      const rows = await database.rows<{ id: number }>(
        `SELECT id FROM ${rowsOfIds("things", "id", idsOf(count), wideOf)} ORDER BY id`,
      );
      expect(rows.map(({ id }) => id)).toEqual(inOrder(idsOf(count)));
    }
  });

  it("are looked up one after another where that takes less time than reading all texts", () => {
    expect([4, 5].map((count) => lookups(count, 50))).toEqual([4, 1]);
    expect([12, 13].map((count) => lookups(count, 3000))).toEqual([12, 1]);
    expect([64, 65].map((count) => lookups(count, 100_000))).toEqual([64, 1]);
  });

  it.each([0, 1, 4, 5, 1000])("are deleted for %d ids", async (count) => {
    await database.execute("CREATE OR REPLACE TABLE others AS FROM things");
    await database.transaction((tx) => deleteRowsOf(tx, "others", "id", idsOf(count)));
    const rows = await database.rows<{ id: number }>("SELECT id FROM things ANTI JOIN others USING (id) ORDER BY id");
    expect(rows.map(({ id }) => id)).toEqual(inOrder(idsOf(count)));
  });
});

interface Operator {
  readonly operator_name: string;
  readonly operator_cardinality: number;
  readonly children: readonly Operator[];
}

/** How many rows the engine reads whole, before it compares them with several ids. */
async function readWhole(from: string): Promise<number> {
  const [row] = await database.rows<{ explain_value: string }>(`EXPLAIN (ANALYZE, FORMAT json) SELECT * FROM ${from}`);
  const read = (operators: readonly Operator[]): number =>
    operators.reduce(
      (sum, { operator_name: name, operator_cardinality: rows, children }) =>
        sum + (/SCAN/.test(name) && !/DUMMY|COLUMN_DATA/.test(name) ? rows : 0) + read(children),
      0,
    );
  return read((JSON.parse(row?.explain_value ?? "") as Operator).children);
}

it("the engine reads only the rows of one id whole, but of several ids all rows between them", async () => {
  const ids = [5, ROWS - 5];
  expect(await readWhole(rowsOfIds("things", "id", ids))).toBe(2);
  expect(await readWhole(`(SELECT * FROM things WHERE ${isOneOf("id", ids)})`)).toBeGreaterThan(ROWS / 2);
});
