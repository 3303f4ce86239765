import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { rewriteTable } from "#storage/lifecycle/rewrite-table.ts";
import { columnCompressions } from "#storage/schema/compressions.ts";
import { migrate } from "#storage/schema/migrate.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

const tables = Object.keys(columnCompressions);

/** Values for all columns of a table, by type; texts have what repeats and what does not. */
const values: Readonly<Record<string, string>> = {
  VARCHAR: "repeat('some text ', 8) || md5(i::VARCHAR)",
  "VARCHAR[]": "['tag']",
  BIGINT: "i",
  INTEGER: "i",
  BOOLEAN: "true",
  TIMESTAMP: "now()::TIMESTAMP",
};

async function fill(database: Database, table: string): Promise<void> {
  const columns = await database.rows<{ type: string }>(
    "SELECT data_type AS type FROM duckdb_columns() WHERE table_name = $1 ORDER BY column_index",
    [table],
  );
  const row = columns.map(({ type }) => values[type] ?? "NULL").join(", ");
  await database.execute(`INSERT INTO ${table} SELECT ${row} FROM range(5000) AS t(i)`);
}

/** What the engine has written, of the columns that have a compression of their own. */
async function stored(database: Database): Promise<Record<string, Record<string, string>>> {
  await database.checkpoint();
  const found: Record<string, Record<string, string>> = {};
  for (const table of tables) {
    const rows = await database.rows<{ column: string; compression: string }>(
      `SELECT DISTINCT column_name AS "column", lower(compression) AS compression FROM pragma_storage_info('${table}')
       WHERE segment_type = 'VARCHAR'`,
    );
    const own = rows.filter(({ column }) => column in (columnCompressions[table] ?? {}));
    found[table] = Object.fromEntries(own.map(({ column, compression }) => [column, compression]));
  }
  return found;
}

describe("columns with a compression of their own", () => {
  it("have it in a new store, when rows are added, and when their table is rewritten", async () => {
    await using folder = await temporaryFolder();
    const database = await Database.open({ path: join(folder.path, "file.duckdb"), threads: 1 });
    await migrate(database);
    for (const table of tables) await fill(database, table);
    expect(await stored(database)).toEqual(columnCompressions);
    for (const table of tables) await fill(database, table);
    expect(await stored(database)).toEqual(columnCompressions);
    for (const table of tables) await rewriteTable(database, table, new AbortController().signal);
    expect(await stored(database)).toEqual(columnCompressions);
    await database.close();
  });
});
