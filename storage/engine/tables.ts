import { mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { duckdb } from "./duckdb.ts";
import { quotedText } from "./quoted-text.ts";

const ENDING = ".parquet";

/**
 * Writes tables of a database file to a folder, a file for each: rows alone, and so the same bytes for the same rows, which
 * a database file has not. They are not packed, for whoever carries them packs them better, and reads them sooner.
 * @param except tables that are left out
 */
export async function writeTables(file: string, folder: string, except: readonly string[]): Promise<void> {
  const { DuckDBInstance } = await duckdb();
  // With one thread the rows are in the order in which they lie.
  const instance = await DuckDBInstance.create(":memory:", { threads: "1", preserve_insertion_order: "true" });
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH ${quotedText(file)} AS source (READ_ONLY)`);
    const found = await connection.runAndReadAll(
      "SELECT table_name FROM duckdb_tables() WHERE database_name = 'source' ORDER BY 1",
    );
    mkdirSync(folder, { recursive: true });
    for (const [name] of found.getRows()) {
      const table = String(name);
      if (except.includes(table)) continue;
      const target = quotedText(join(folder, `${table}${ENDING}`));
      await connection.run(`COPY (FROM source."${table}") TO ${target} (FORMAT parquet, COMPRESSION uncompressed)`);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The statement that adds to each table what {@link writeTables} wrote of it. */
export function readTables(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith(ENDING));
  const inserts = files.sort().map((name) => {
    const table = basename(name, ENDING);
    return `INSERT INTO "${table}" BY NAME FROM read_parquet(${quotedText(join(folder, name))})`;
  });
  return ["BEGIN TRANSACTION", ...inserts, "COMMIT"].join("; ");
}
