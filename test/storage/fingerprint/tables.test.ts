import { expect, it } from "vitest";
import { compareBytewise } from "#storage/bytewise.ts";
import { viewTables } from "#storage/engine/table-versions.ts";
import { comparedTables, uncompared, uncomparedColumns } from "#storage/fingerprint/tables.ts";
import { openDatabase } from "#storage/store-database.ts";

it("every column of every table counts for a fingerprint, or is named as one that does not", async () => {
  const database = await openDatabase({});
  const rows = await database.rows<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, string_agg(column_name, ',' ORDER BY column_name) AS columns FROM duckdb_columns()
      WHERE NOT internal GROUP BY table_name`,
  );
  await database.close();
  const compared = comparedTables.map(({ name, columns, ids = {} }) => [
    name,
    [...columns, ...Object.keys(ids), ...(uncomparedColumns[name] ?? [])].toSorted(compareBytewise).join(","),
  ]);
  const ofViews = Object.values(viewTables).flat();
  const expected = rows
    .filter(({ name }) => !uncompared.includes(name) && !ofViews.includes(name))
    .map(({ name, columns }) => [name, columns]);
  expect(Object.fromEntries(compared)).toStrictEqual(Object.fromEntries(expected));
});
