import type { DuckDBConnection } from "@duckdb/node-api";
import { quotedText } from "./quoted-text.ts";
import { allRows } from "./statements.ts";

/**
 * Writes the committed state to a new database file.
 * @param path in the only folder that the engine may write to
 */
export async function copyDatabase(connection: DuckDBConnection, path: string): Promise<void> {
  const [own] = await allRows<{ name: string }>(connection, "SELECT current_database() AS name", []);
  await connection.run(`ATTACH ${quotedText(path)} AS copied (STORAGE_VERSION 'latest')`);
  try {
    await connection.run(`COPY FROM DATABASE "${own?.name ?? ""}" TO copied; CHECKPOINT copied`);
  } finally {
    await connection.run("DETACH copied");
  }
}
