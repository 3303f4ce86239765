import { join } from "node:path";
import { Database } from "./engine/database.ts";
import { schemaScript } from "./schema/migrate.ts";
import type { StoreOptions } from "./store.ts";

/** The file inside a data directory that holds everything that has been taken in. */
export const databaseFile = "census.duckdb";

/**
 * Opens the database of a store, whatever its tables are.
 * @throws CensusError "bad-file" when the directory cannot be used
 */
export async function openDatabase({ directory, base, readOnly = false }: StoreOptions): Promise<Database> {
  if (directory !== undefined) return Database.open({ path: join(directory, databaseFile), readOnly });
  return Database.open({ tables: schemaScript(), ...(base === undefined ? {} : { base }) });
}
