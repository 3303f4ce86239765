import { writeTables } from "../engine/tables.ts";
import { historyTables } from "../history/state.ts";

/** Tables about a store rather than its content; changes are not recorded in a base. */
const ownTables = ["schema_migrations", "queue_progress", "store_identity", ...historyTables, "history_state"] as const;

/**
 * Writes the content of the store in a database file, as the initial content of stores in memory: a folder with the
 * same bytes for the same content. Only for stores of exactly this version of the program.
 */
export async function writeBase(file: string, folder: string): Promise<void> {
  await writeTables(file, folder, ownTables);
}
