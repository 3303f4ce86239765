import type { Transaction } from "../engine/transaction.ts";
import type { RowRange } from "./move-rows.ts";

/** Rows of a table that the engine stores and frees together: up to 122,880. */
export interface RowGroup {
  readonly table: string;
  /** The number of its first row. */
  readonly first: number;
  /** The number of its rows, deleted ones among them. */
  readonly rows: number;
  readonly blocks: number;
  /** The highest number of its blocks; -1: it has none. */
  readonly last: number;
}

/**
 * The row groups of a table in their order, those since the last checkpoint included. A checkpoint may change their numbers, which
 * none does within a transaction that writes.
 */
export async function rowGroups(reading: Pick<Transaction, "rows">, table: string): Promise<RowGroup[]> {
  return reading.rows<RowGroup>(
    `WITH segments AS (
      SELECT row_group_id AS id, column_path, count, block_id, additional_block_ids FROM pragma_storage_info('${table}')
    ), blocks AS (
      SELECT id, block_id AS block FROM segments WHERE block_id >= 0
      UNION SELECT id, unnest(additional_block_ids) FROM segments
    ), places AS (SELECT id, count(*) AS blocks, max(block) AS last FROM blocks GROUP BY id
    ), sizes AS (SELECT id, sum(count) AS rows FROM segments WHERE column_path = '[0]' GROUP BY id)
    SELECT '${table}' AS "table", (sum(rows) OVER (ORDER BY id) - rows)::DOUBLE AS first, rows::DOUBLE AS rows,
      coalesce(blocks, 0)::INTEGER AS blocks, coalesce(last, -1)::INTEGER AS last
    FROM sizes LEFT JOIN places USING (id) ORDER BY id`,
  );
}

/** All rows of a row group. */
export function rangeOf({ table, first, rows }: RowGroup): RowRange {
  return { table, first, last: first + rows - 1 };
}
