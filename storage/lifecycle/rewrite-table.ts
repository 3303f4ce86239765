import type { Database } from "../engine/database.ts";
import { GROUP_ROWS } from "../engine/file-layout.ts";
import type { Transaction } from "../engine/transaction.ts";
import { columnCompressions } from "../schema/compressions.ts";

/**
 * Rewrites a table without the holes of deleted rows, in the lowest free blocks of the file: the same columns, the same
 * rows in the same order, the same name. Running queries continue with the old table.
 * @throws the signal's reason, without having changed anything
 */
export async function rewriteTable(database: Database, table: string, signal: AbortSignal): Promise<void> {
  const copy = `${table}_rewritten`;
  await database.transaction(async (tx) => {
    await tx.execute(copy, `CREATE TABLE "${copy}" (${(await columnsOf(tx, table)).join(", ")})`);
    const [row] = await tx.rows<{ last: bigint }>(`SELECT coalesce(max(rowid), -1)::BIGINT AS last FROM "${table}"`);
    // The copy can be cancelled between two statements.
    for (let from = 0; from <= Number(row?.last ?? -1); from += GROUP_ROWS) {
      signal.throwIfAborted();
      await tx.execute(copy, `INSERT INTO "${copy}" SELECT * FROM "${table}" WHERE rowid BETWEEN $1 AND $2`, [
        BigInt(from),
        BigInt(from + GROUP_ROWS - 1),
      ]);
    }
    await tx.execute(table, `DROP TABLE "${table}"`);
    await tx.execute(copy, `ALTER TABLE "${copy}" RENAME TO "${table}"`);
  });
}

/** Columns as CREATE TABLE has them. How they are compressed cannot be read from the engine. */
async function columnsOf(tx: Transaction, table: string): Promise<string[]> {
  const columns = await tx.rows<{ name: string; type: string; nullable: boolean }>(
    `SELECT column_name AS name, data_type AS type, is_nullable AS nullable FROM duckdb_columns()
     WHERE table_name = $1 ORDER BY column_index`,
    [table],
  );
  return columns.map(({ name, type, nullable }) => {
    const compression = columnCompressions[table]?.[name];
    const compressed = compression === undefined ? "" : ` USING COMPRESSION ${compression}`;
    return `"${name}" ${type}${nullable ? "" : " NOT NULL"}${compressed}`;
  });
}
