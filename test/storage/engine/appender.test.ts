import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cell } from "#storage/engine/appender.ts";
import { Database } from "#storage/engine/database.ts";

let database: Database;
let tables = 0;

/** A table of its own for every test: chunks are kept by the name of the table, whose columns do not change. */
async function newTable(columns: string): Promise<string> {
  const table = `t${++tables}`;
  await database.execute(`CREATE TABLE ${table} (${columns})`);
  return table;
}

beforeAll(async () => {
  database = await Database.open({ threads: 1 });
});
afterAll(() => database.close());

describe("cells of each type", () => {
  it.each<[type: string, Cell, sql: string, expected: unknown]>([
    ["VARCHAR", "it's \0 äß😀", "c", "it's \0 äß😀"],
    ["VARCHAR", "", "c", ""],
    ["VARCHAR", Buffer.from("it's \0 äß😀"), "c", "it's \0 äß😀"],
    ["VARCHAR", new Uint8Array(), "c", ""],
    ["INTEGER", -7, "c", -7],
    ["BIGINT", 9_007_199_254_740_993n, "c", 9_007_199_254_740_993n],
    ["BIGINT", 12, "c", 12n],
    ["BOOLEAN", false, "c", false],
    ["TIMESTAMP", 1_795_132_800_123_456n, "epoch_us(c)", 1_795_132_800_123_456n],
    ["TIMESTAMP", -1n, "epoch_us(c)", -1n],
    ["VARCHAR[]", ["a", "", "b'"], "c", ["a", "", "b'"]],
    ["VARCHAR[]", [], "c", []],
    ["VARCHAR", null, "c", null],
    ["BIGINT", null, "c", null],
    ["TIMESTAMP", null, "epoch_us(c)", null],
    ["VARCHAR[]", null, "c", null],
  ])("are stored and read back: %s %o", async (type, cell, sql, expected) => {
    const table = await newTable(`c ${type}`);
    await database.transaction(async (tx) => {
      const appender = await tx.appender(table);
      appender.row(cell);
      appender.close();
    });
    expect(await database.rows(`SELECT ${sql} AS found FROM ${table}`)).toEqual([{ found: expected }]);
  });
});

describe("rows", () => {
  // The engine takes them in chunks of 2,048.
  it.each([0, 1, 2047, 2048, 2049, 5000])("are all stored in order, %i of them", async (count) => {
    const table = await newTable("n INTEGER, text VARCHAR");
    await database.transaction(async (tx) => {
      const appender = await tx.appender(table);
      for (let n = 0; n < count; n++) appender.row(n, n % 3 === 0 ? null : `row ${n}`);
      appender.close();
    });
    const rows = await database.rows(`SELECT n, text FROM ${table}`);
    expect(rows).toEqual(Array.from({ length: count }, (_, n) => ({ n, text: n % 3 === 0 ? null : `row ${n}` })));
  });

  it("contain no values of rows that were appended before", async () => {
    const table = await newTable("n INTEGER, text VARCHAR, list VARCHAR[]");
    const write = (...rows: [number | null, string | null, string[] | null][]): Promise<void> =>
      database.transaction(async (tx) => {
        const appender = await tx.appender(table);
        for (const row of rows) appender.row(...row);
        appender.close();
      });
    await write([1, "a long text that lies outside of the vector", ["x", "y"]], [2, "b", ["z"]]);
    await write([null, null, null]);
    await write([3, "", []], [null, "c", null]);
    expect(await database.rows(`SELECT * FROM ${table}`)).toEqual([
      { n: 1, text: "a long text that lies outside of the vector", list: ["x", "y"] },
      { n: 2, text: "b", list: ["z"] },
      { n: null, text: null, list: null },
      { n: 3, text: "", list: [] },
      { n: null, text: "c", list: null },
    ]);
  });

  it("may mix texts as bytes, strings and empty rows", async () => {
    const table = await newTable("n INTEGER, text VARCHAR, other VARCHAR");
    const texts = Array.from({ length: 300 }, (_, n) => (n % 7 === 0 ? null : `text ${n} äß😀 `.repeat((n % 50) * 40)));
    await database.transaction(async (tx) => {
      const appender = await tx.appender(table);
      for (const [n, text] of texts.entries()) appender.row(n, mixedCell(text, n), mixedCell(text, n + 1));
      appender.close();
    });
    const rows = await database.rows(`SELECT n, text, other FROM ${table}`);
    expect(rows).toEqual(texts.map((text, n) => ({ n, text, other: text })));
  });

  it("with another number of columns than the table are rejected", async () => {
    const table = await newTable("n INTEGER, text VARCHAR");
    const work = database.transaction(async (tx) => (await tx.appender(table)).row(1));
    await expect(work).rejects.toThrow("a row of 1 cells for a table of 2 columns");
  });
});

/** A text, as bytes in two of three rows. */
function mixedCell(text: string | null, row: number): Cell {
  return text === null || row % 3 === 0 ? text : Buffer.from(text);
}
