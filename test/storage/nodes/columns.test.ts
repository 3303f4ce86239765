import { expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { cellsOf, newNodeRow, nodeColumns, selectNodeRows } from "#storage/nodes/columns.ts";
import { migrate } from "#storage/schema/migrate.ts";

it("the declared columns of nodes are those of the schema, in their order and with their types", async () => {
  const database = await Database.open({});
  await migrate(database);
  const columns = await database.rows<{ name: string; type: string; nullable: boolean }>(
    `SELECT column_name AS name, data_type AS type, is_nullable AS nullable FROM duckdb_columns()
     WHERE table_name = 'nodes' ORDER BY column_index`,
  );
  expect(columns.map(({ name, type }) => [name, type])).toEqual(Object.entries(nodeColumns));
  expect(columns.filter(({ nullable }) => !nullable).map(({ name }) => name)).toEqual(["id", "certname"]);
  await database.close();
});

it("a row is read as it was written, for any types of its columns", async () => {
  const values = { INTEGER: 7, BIGINT: 7n, VARCHAR: "web", BOOLEAN: true, TIMESTAMP: 1_700_000_000_123_456n };
  const full = Object.fromEntries(Object.entries(nodeColumns).map(([name, type]) => [name, values[type]]));
  const rows = [{ ...newNodeRow(7, "web"), ...full }, newNodeRow(8, "db")];
  const database = await Database.open({});
  await migrate(database);
  await database.transaction(async (tx) => {
    const appender = await tx.appender("nodes");
    for (const row of rows) appender.row(...cellsOf(row));
    appender.close();
  });
  expect(await database.rows(`${selectNodeRows} ORDER BY id`)).toEqual(rows);
  await database.close();
});
