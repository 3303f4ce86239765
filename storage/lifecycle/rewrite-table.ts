import type { Database } from "../engine/database.ts";
import { GROUP_ROWS } from "../engine/table-sizes.ts";

/**
 * Rewrites a table without the holes of deleted rows, in the lowest free blocks of the file: the same columns, the same
 * rows in the same order, the same name. Running queries continue with the old table.
 * @throws the signal's reason, without having changed anything
 */
export async function rewriteTable(database: Database, table: string, signal: AbortSignal): Promise<void> {
  const copy = `${table}_rewritten`;
  await database.transaction(async (tx) => {
    const [definition] = await tx.rows<{ sql: string }>("SELECT sql FROM duckdb_tables() WHERE table_name = $1", [
      table,
    ]);
    if (definition === undefined) return;
    await tx.execute(definition.sql.replace(/^CREATE TABLE [^(]+\(/, `CREATE TABLE "${copy}"(`));
    const [row] = await tx.rows<{ last: bigint }>(`SELECT coalesce(max(rowid), -1)::BIGINT AS last FROM "${table}"`);
    // The copy can be cancelled between two statements.
    for (let from = 0; from <= Number(row?.last ?? -1); from += GROUP_ROWS) {
      signal.throwIfAborted();
      await tx.execute(`INSERT INTO "${copy}" SELECT * FROM "${table}" WHERE rowid BETWEEN $1 AND $2`, [
        BigInt(from),
        BigInt(from + GROUP_ROWS - 1),
      ]);
    }
    await tx.execute(`DROP TABLE "${table}"`);
    await tx.execute(`ALTER TABLE "${copy}" RENAME TO "${table}"`);
  });
}
