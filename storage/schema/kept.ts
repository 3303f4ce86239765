import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";

/** The engine's name of the database, in memory too, that has the copy. */
const KEPT = "kept";

/** Keeps a copy of all tables of a database in memory, instead of one that was kept before. */
export async function keepTables(database: Database): Promise<void> {
  await database.execute(`DETACH DATABASE IF EXISTS ${KEPT}`);
  await database.execute(`ATTACH ':memory:' AS ${KEPT}`);
  await database.execute(`COPY FROM DATABASE memory TO ${KEPT}`);
}

/** Makes the content of all tables what it was when they were kept; readers go on with what they began with. */
export async function restoreTables(tx: Transaction): Promise<void> {
  const tables = await tx.rows<{ name: string }>(
    "SELECT table_name AS name FROM duckdb_tables() WHERE database_name = $1",
    [KEPT],
  );
  const statements = tables.map(({ name }) => `DELETE FROM ${name}; INSERT INTO ${name} FROM ${KEPT}.${name}`);
  await tx.execute(statements.join("; "));
}
