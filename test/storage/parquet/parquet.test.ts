import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import { ColumnKinds } from "#storage/parquet/column-kinds.ts";
import { writeParquet } from "#storage/parquet/write.ts";

const work = mkdtempSync(join(tmpdir(), "census-parquet-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe("a column's type is that of all its values", () => {
  it.each<[values: string[], type: string]>([
    [["null", "null"], "VARCHAR"],
    [["true", "null"], "BOOLEAN"],
    [["1", "-9223372036854775808"], "BIGINT"],
    [["1", "9223372036854775808"], "JSON"],
    [["1", "2.50"], "DOUBLE"],
    [["1e3"], "DOUBLE"],
    [["0.1234567890123456789"], "JSON"],
    [['"2026-11-20T12:00:00.000Z"', "null"], "TIMESTAMPTZ"],
    [['"2026-11-20T12:00:00Z"', '"never"'], "VARCHAR"],
    [['"2026-11-20"'], "VARCHAR"],
    [['"a"', "1"], "JSON"],
    [["true", '"true"'], "JSON"],
    [["[1]"], "JSON"],
    [['{"a":1}', "null"], "JSON"],
  ])("%j is %s", (values, type) => {
    const kinds = new ColumnKinds();
    for (const value of values) kinds.add({ v: parseJson(value) });
    expect(kinds.types()).toStrictEqual([["v", type]]);
  });
});

async function written(batches: readonly (readonly string[])[]): Promise<{ columns: string[]; rows: unknown[] }> {
  const folder = mkdtempSync(join(work, "it's-"));
  async function* rows(): AsyncGenerator<readonly string[]> {
    yield* batches;
  }
  const path = await writeParquet(rows(), folder);
  expect(readdirSync(folder)).toHaveLength(1);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const result = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path.replaceAll("'", "''")}')`);
  const types = result.columnTypes().map(String);
  const columns = result.columnNames().map((name, index) => `${name} ${types[index] ?? ""}`);
  const read = result.getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return { columns, rows: read };
}

describe("a Parquet file", () => {
  it("contains every row and value in their order", async () => {
    const { columns, rows } = await written([
      [
        '{"certname":"a","it\'s":1,"at":"2026-11-20T12:00:00.123Z","facts.os":{"x": [1.0,12345678901234567890123]},"none":null}',
      ],
      [],
      ['{"certname":"ü \\u0000","it\'s":null,"at":null,"facts.os":"Linux","none":null}', '{"certname":"c"}'],
    ]);
    expect(columns).toStrictEqual([
      "certname VARCHAR",
      "it's BIGINT",
      "at TIMESTAMP WITH TIME ZONE",
      "facts.os VARCHAR",
      "none VARCHAR",
    ]);
    expect(rows).toStrictEqual([
      ["a", "1", "2026-11-20 12:00:00.123+00", '{"x":[1.0,12345678901234567890123]}', null],
      ["ü \u0000", null, null, '"Linux"', null],
      ["c", null, null, null, null],
    ]);
  });

  it("has a column named value for rows that are not objects", async () => {
    expect(await written([['"kernel"', '"os"']])).toStrictEqual({
      columns: ["value VARCHAR"],
      rows: [["kernel"], ["os"]],
    });
  });

  it("contains rows of any length", async () => {
    const long = "x".repeat(20_000_000);
    const { rows } = await written([[JSON.stringify({ long }), '{"long":"short"}']]);
    expect(rows).toStrictEqual([[long], ["short"]]);
  });

  it("is refused for a result without rows", async () => {
    await expect(written([])).rejects.toThrow("an answer without rows has no columns, which a Parquet file must have");
  });
});
