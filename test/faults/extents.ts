import { closeSync, openSync, readSync } from "node:fs";
import { Database } from "#storage/engine/database.ts";

/** A range of bytes of a file. */
export interface Extent {
  readonly from: number;
  /** The first byte behind it. */
  readonly to: number;
  /** What is in it: `header`, `metadata`, or the names of tables. */
  readonly use: string;
}

/** The engine's file: three headers of this many bytes, then blocks. */
const HEADER = 4096;
const BLOCK = 262_144;

/** Blocks of the values that are too long for the block of their column are listed as a text: `[3, 4]`. */
const VALUES = `
  SELECT DISTINCT unnest(list_append(
    CAST(coalesce(additional_block_ids, []) AS BIGINT[]), CAST(block_id AS BIGINT))) AS block
    FROM pragma_storage_info($1)`;

/**
 * The headers that hold and the blocks that are in use, as of the last checkpoint of a database file that no process has
 * open: damage to any of them must be reported.
 */
export async function extentsInUse(path: string): Promise<readonly Extent[]> {
  const database = await Database.open({ path, readOnly: true });
  const uses = new Map<number, Set<string>>();
  // What has not been written to the file has no block.
  const note = (block: number, use: string): unknown =>
    block < 0 ? undefined : uses.set(block, (uses.get(block) ?? new Set()).add(use));
  try {
    const tables = await database.rows<{ name: string }>(
      "SELECT table_name AS name FROM duckdb_tables() WHERE NOT internal",
    );
    for (const { name } of tables) {
      for (const { block } of await database.rows<{ block: bigint | null }>(VALUES, [name])) note(Number(block), name);
    }
    const metadata = await database.rows<{ block: bigint }>("SELECT block_id AS block FROM pragma_metadata_info()");
    for (const { block } of metadata) note(Number(block), "metadata");
  } finally {
    await database.close();
  }
  const extents = [...uses].map(([block, names]) => {
    const from = 3 * HEADER + block * BLOCK;
    return { from, to: from + BLOCK, use: [...names].join(", ") };
  });
  return [currentHeader(path), ...extents];
}

/** Of the two headers that are written in turn, the one with the higher iteration holds. */
function currentHeader(path: string): Extent {
  const bytes = Buffer.alloc(3 * HEADER);
  const file = openSync(path, "r");
  readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  const iterations = [1, 2].map((index) => bytes.readBigInt64LE(index * HEADER + 8));
  const from = (iterations[1] ?? 0n) > (iterations[0] ?? 0n) ? 2 * HEADER : HEADER;
  return { from, to: from + 100, use: "header" };
}
