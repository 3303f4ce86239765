import type { Database } from "#storage/engine/database.ts";

/** Bytes that the engine has in memory of the file: its cached parts, and what it keeps about changed rows. */
export async function memoryOfTables(database: Database): Promise<number> {
  const sql = "SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'BASE_TABLE'";
  const [row] = await database.rows<{ bytes: number }>(sql);
  return row?.bytes ?? 0;
}
