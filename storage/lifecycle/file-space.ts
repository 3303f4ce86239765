import type { Database } from "../engine/database.ts";

/** Blocks of the database file. */
export interface FileSpace {
  readonly total: number;
  readonly free: number;
  /** bytes */
  readonly blockSize: number;
  /** the highest number of the blocks with the engine's own notes */
  readonly lastOfEngine: number;
}

/** What a table takes of the file, as of the last checkpoint. */
export interface TableSpace {
  readonly table: string;
  /** rows there are, and rows there is room for: the deleted ones among them are holes */
  readonly live: number;
  readonly held: number;
  readonly blocks: number;
  /** the highest number of its blocks; -1 for a table without any */
  readonly last: number;
}

export async function fileSpace(database: Database): Promise<FileSpace> {
  const [row] = await database.rows<FileSpace>(
    `SELECT total_blocks::INTEGER AS total, free_blocks::INTEGER AS free, block_size::INTEGER AS "blockSize",
      (SELECT coalesce(max(block_id), -1)::INTEGER FROM pragma_metadata_info()) AS "lastOfEngine"
    FROM pragma_database_size()`,
  );
  return row ?? { total: 0, free: 0, blockSize: 0, lastOfEngine: -1 };
}

export async function tableSpaces(database: Database): Promise<TableSpace[]> {
  const tables = await database.rows<{ name: string }>(
    "SELECT table_name AS name FROM duckdb_tables() WHERE NOT internal AND NOT temporary",
  );
  const spaces: TableSpace[] = [];
  for (const { name } of tables) spaces.push(await tableSpace(database, name));
  return spaces;
}

async function tableSpace(database: Database, table: string): Promise<TableSpace> {
  const [row] = await database.rows<Record<"live" | "held" | "blocks" | "last", number>>(
    `WITH segments AS (SELECT * FROM pragma_storage_info('${table}')),
      blocks AS (SELECT block_id AS id FROM segments WHERE block_id >= 0
        UNION SELECT unnest(additional_block_ids) FROM segments)
    SELECT (SELECT count(*)::INTEGER FROM "${table}") AS live,
      (SELECT coalesce(sum(count), 0)::INTEGER FROM segments WHERE column_path = '[0]') AS held,
      (SELECT count(*)::INTEGER FROM blocks) AS blocks,
      (SELECT coalesce(max(id), -1)::INTEGER FROM blocks) AS last`,
  );
  return { table, live: 0, held: 0, blocks: 0, last: -1, ...row };
}

/** Blocks that a table would need less if it were written anew, about. */
export function wasted({ live, held, blocks }: TableSpace): number {
  return held === 0 ? 0 : Math.floor((blocks * Math.max(0, held - live)) / held);
}
