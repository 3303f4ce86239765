import type { Database } from "../engine/database.ts";
import { type Clock, formatTimestamp } from "../time.ts";
import { fileSpace, tableSpaces } from "./file-space.ts";

type Row = Readonly<Record<string, string | number | boolean | null | readonly number[]>>;

/** Each figure is a list of rows. */
export type SummaryStatistics = Readonly<Record<string, readonly Row[]>>;

/** The query of each figure (`reference/lifecycle.md §7.3`). */
const figures: Readonly<Record<string, string>> = {
  node_activity: `SELECT count(*)::INTEGER AS count, deactivated IS NULL AND expired IS NULL AS active
    FROM nodes GROUP BY active ORDER BY active`,
  fact_path_counts_by_depth: `SELECT depth, count(*)::INTEGER AS count FROM fact_paths
    GROUP BY depth ORDER BY depth`,
  report_metric_size_dist: quantiles("SELECT strlen(metrics) AS n FROM reports WHERE id > 0 AND metrics IS NOT NULL"),
  report_log_size_dist: quantiles("SELECT strlen(logs) AS n FROM reports WHERE id > 0 AND logs IS NOT NULL"),
  num_resources_per_node: quantiles("SELECT count(*) AS n FROM catalog_resources GROUP BY node_id"),
  num_resources_per_file: quantiles(`SELECT count(*) AS n FROM catalog_resources c
    JOIN resources r ON r.id = c.resource_id WHERE r.file IS NOT NULL GROUP BY r.file`),
  file_resources_per_catalog: quantiles(`SELECT count(*) AS n FROM catalog_resources c
    JOIN resources r ON r.id = c.resource_id WHERE r.type = 'File' GROUP BY c.node_id`),
  file_resources_per_catalog_with_source: quantiles(`SELECT count(*) AS n FROM catalog_resources c
    JOIN resources r ON r.id = c.resource_id WHERE r.type = 'File' AND r.id IN (
      SELECT resource_id FROM resource_parameters WHERE name = 'source') GROUP BY c.node_id`),
  // Two resources with the same name are different where their parameters differ.
  num_distinct_edges_source_target: `WITH named AS (
      SELECT c.node_id, r.type, r.title, r.hash FROM catalog_resources c JOIN resources r ON r.id = c.resource_id)
    SELECT count(*)::INTEGER AS count FROM (SELECT DISTINCT source.hash, target.hash
      FROM catalog_edges c JOIN edges e ON e.id = c.edge_id
      JOIN named source ON (source.node_id, source.type, source.title) = (c.node_id, e.source_type, e.source_title)
      JOIN named target ON (target.node_id, target.type, target.title) = (c.node_id, e.target_type, e.target_title))`,
};

/** One row: the 20-quantiles of `n` from the 0th to the 20th, interpolated; null when there are no rows. */
function quantiles(of: string): string {
  const fractions = Array.from({ length: 21 }, (_, index) => index / 20);
  return `SELECT quantile_cont(n::DOUBLE, [${fractions.join(", ")}]) AS quantiles FROM (${of})`;
}

/** Figures about the stored data; figures about its use come from the engine. */
export async function summaryStatistics(database: Database, clock: Clock): Promise<SummaryStatistics> {
  const statistics: Record<string, readonly Row[]> = {};
  // One after another, because they are less urgent than queries.
  for (const [name, sql] of Object.entries(figures)) statistics[name] = await database.rows<Row>(sql);
  const file = await fileSpace(database);
  const tables = await tableSpaces(database);
  return {
    ...statistics,
    table_usage: tables.map(({ table, live, allocated, blocks }) => ({
      relname: table,
      n_live_tup: live,
      n_dead_tup: Math.max(0, allocated - live),
      bytes: blocks * file.blockSize,
    })),
    // There are none (storage/schema/migrations/001-initial.ts).
    index_usage: [],
    database_usage: [
      {
        datname: database.place,
        current_time: formatTimestamp(clock.now()),
        bytes: file.total * file.blockSize,
        free_bytes: file.free * file.blockSize,
      },
    ],
  };
}
