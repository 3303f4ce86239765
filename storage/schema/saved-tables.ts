import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";

/** The engine's name of the database, also in memory, with the copy. */
const SAVED = "saved";

/** Copies all tables of a database in memory, replacing an earlier copy. */
export async function saveTables(database: Database): Promise<void> {
  await database.execute(`DETACH DATABASE IF EXISTS ${SAVED}`);
  await database.execute(`ATTACH ':memory:' AS ${SAVED}`);
  await database.execute(`COPY FROM DATABASE memory TO ${SAVED}`);
}

/** Restores the content of all tables from the copy; running queries continue with the old content. */
export async function restoreTables(tx: Transaction): Promise<void> {
  const tables = await tx.rows<{ name: string }>(
    "SELECT table_name AS name FROM duckdb_tables() WHERE database_name = $1",
    [SAVED],
  );
  const statements = tables.map(({ name }) => `DELETE FROM ${name}; INSERT INTO ${name} FROM ${SAVED}.${name}`);
  await tx.execute(
    tables.map(({ name }) => name),
    statements.join("; "),
  );
}
