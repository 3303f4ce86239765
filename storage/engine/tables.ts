import { mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { duckdb } from "./duckdb.ts";
import { quotedText } from "./quoted-text.ts";

const ENDING = ".parquet";

/**
 * Writes the tables of a database file to a folder, one file each. These files depend only on the rows, unlike a
 * database file. They are not compressed, because packages compress them better and they are faster to read.
 * @param except tables to omit
 */
export async function writeTables(file: string, folder: string, except: readonly string[]): Promise<void> {
  const { DuckDBInstance } = await duckdb();
  // One thread preserves the order of the rows.
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

/** The statements that insert the rows written by {@link writeTables}. */
export function readTables(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith(ENDING));
  const inserts = files.sort().map((name) => {
    const table = basename(name, ENDING);
    return `INSERT INTO "${table}" BY NAME FROM read_parquet(${quotedText(join(folder, name))})`;
  });
  return ["BEGIN TRANSACTION", ...inserts, "COMMIT"].join("; ");
}
