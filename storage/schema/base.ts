import { writeTables } from "../engine/tables.ts";

/** Tables that tell how a store came about, not what it holds. */
const ownTables = ["schema_migrations", "queue_progress", "store_identity"] as const;

/**
 * Writes what the store in a database file holds, for stores in memory to begin with: a folder with the same bytes for the
 * same content. It is for stores of this very program.
 */
export async function writeBase(file: string, folder: string): Promise<void> {
  await writeTables(file, folder, ownTables);
}
