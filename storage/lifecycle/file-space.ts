import type { Database } from "../engine/database.ts";

/** Blocks of the database file. */
export interface FileSpace {
  readonly total: number;
  readonly free: number;
  /** bytes */
  readonly blockSize: number;
  /** the highest number of the blocks with the engine's own metadata */
  readonly lastOfEngine: number;
}

/** The space of a table in the file, as of the last checkpoint. */
export interface TableSpace {
  readonly table: string;
  /** number of rows, and number of rows with allocated space: the deleted ones among them are holes */
  readonly live: number;
  readonly allocated: number;
  readonly blocks: number;
  /** the highest number of its blocks; -1 for a table without blocks */
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

export async function tableSpace(database: Database, table: string): Promise<TableSpace> {
  const [row] = await database.rows<Record<"live" | "allocated" | "blocks" | "last", number>>(
    `WITH segments AS (SELECT * FROM pragma_storage_info('${table}')),
      blocks AS (SELECT block_id AS id FROM segments WHERE block_id >= 0
        UNION SELECT unnest(additional_block_ids) FROM segments)
    SELECT (SELECT count(*)::INTEGER FROM "${table}") AS live,
      (SELECT coalesce(sum(count), 0)::INTEGER FROM segments WHERE column_path = '[0]') AS allocated,
      (SELECT count(*)::INTEGER FROM blocks) AS blocks,
      (SELECT coalesce(max(id), -1)::INTEGER FROM blocks) AS last`,
  );
  return { table, live: 0, allocated: 0, blocks: 0, last: -1, ...row };
}

/** The approximate number of blocks that rewriting a table would free. */
export function wasted({ live, allocated, blocks }: TableSpace): number {
  return allocated === 0 ? 0 : Math.floor((blocks * Math.max(0, allocated - live)) / allocated);
}

/** The share of holes from which a table, or a part of one, is worth moving. */
export const HOLES = 1 / 8;

/** Whether moving the rows of a table would free much of its space. */
export function hasManyHoles(space: TableSpace): boolean {
  return wasted(space) > 0 && wasted(space) >= space.blocks * HOLES;
}
