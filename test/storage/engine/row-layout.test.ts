import { afterAll, beforeAll, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { RowLayout } from "#storage/engine/row-layout.ts";

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 2 });
});
afterAll(() => database.close());

const layout: RowLayout = {
  columns: [
    { before: '{"text":', as: "text" },
    { before: ',"in":{"json":', as: "json" },
    { before: ',"count":', as: "number" },
  ],
  after: "}}",
};

const control = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join("");

it.each<[what: string, sql: string, values: readonly string[], expected: unknown[]]>([
  ["values", `SELECT 'a', '[1, {"b": 2}]', 3::BIGINT`, [], [{ text: "a", in: { json: [1, { b: 2 }], count: 3 } }]],
  [
    "characters that JSON escapes",
    "SELECT $1, '1', 0",
    [`"\\${control}`],
    [{ text: `"\\${control}`, in: { json: 1, count: 0 } }],
  ],
  [
    "characters that it does not escape",
    "SELECT $1, '1', 0",
    ["ß😀\u2028"],
    [{ text: "ß😀\u2028", in: { json: 1, count: 0 } }],
  ],
  ["NULL", "SELECT NULL::VARCHAR, NULL::VARCHAR, NULL::BIGINT", [], [{ text: null, in: { json: null, count: null } }]],
  ["no rows", "SELECT 'a', '1', 1 WHERE false", [], []],
  [
    "rows of several chunks, in their order",
    "SELECT i::VARCHAR, i::VARCHAR, i FROM range(5000) t(i) ORDER BY i",
    [],
    Array.from({ length: 5000 }, (_, i) => ({ text: String(i), in: { json: i, count: i } })),
  ],
])("columns are written as the JSON texts of rows: %s", async (_what, sql, values, expected) => {
  const texts: string[] = [];
  const bytes: string[] = [];
  for await (const rows of database.stream({ sql, values, layout })) {
    texts.push(...rows.texts());
    for (let row = 0; row < rows.count; row++) bytes.push(rows.bytes(row).toString());
  }
  expect(texts.map((text): unknown => JSON.parse(text))).toStrictEqual(expected);
  expect(bytes).toStrictEqual(texts);
});

it("whole numbers keep all their digits", async () => {
  const statement = { sql: "SELECT 'a', '1', 9007199254740993::BIGINT", values: [], layout };
  for await (const [text] of database.texts(statement))
    expect(text).toBe('{"text":"a","in":{"json":1,"count":9007199254740993}}');
});
