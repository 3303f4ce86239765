import { deleteRows, type Work } from "./work.ts";

/*
 * What nodes share is stored once, and remains after the last node has stopped using it until it is collected
 * (`reference/lifecycle.md §6`). Each list of deletions is one transaction.
 */

/** Deletes packages that no node has. */
export async function collectPackages(work: Work): Promise<number> {
  return collect(work, ["DELETE FROM packages WHERE id NOT IN (SELECT package_id FROM node_packages)"]);
}

/** Deletes resources and edges that no catalog has and no recorded change refers to, and unused environments. */
export async function collectCatalogs(work: Work): Promise<number> {
  const collected = await collect(work, [
    // The spacers of a resource have its negated id (`storage/ingest/write/spaced-rows.ts`).
    `DELETE FROM resources WHERE abs(id) NOT IN (SELECT resource_id FROM catalog_resources
      UNION SELECT before_id FROM history_resources WHERE before_id IS NOT NULL
      UNION SELECT after_id FROM history_resources WHERE after_id IS NOT NULL)`,
    "DELETE FROM resource_parameters WHERE abs(resource_id) NOT IN (SELECT id FROM resources)",
    "DELETE FROM edges WHERE id NOT IN (SELECT edge_id FROM catalog_edges UNION SELECT edge_id FROM history_edges)",
  ]);
  work.signal.throwIfAborted();
  return collected + (await collect(work, [`DELETE FROM environments WHERE name NOT IN (${environmentsInUse})`]));
}

const environmentsInUse = [
  ["facts_environment", "nodes"],
  ["catalog_environment", "nodes"],
  ["environment", "reports"],
]
  .map(([column, table]) => `SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL`)
  .join(" UNION ");

/** Deletes fact paths that no fact set has; the path of a structured fact has no leaf of its own. */
export async function collectFactPaths(work: Work): Promise<number> {
  return collect(work, [
    `DELETE FROM fact_paths WHERE id NOT IN (SELECT path_id FROM fact_leaves) AND NOT (type = 'json' AND name IN (
      SELECT name FROM facts WHERE value[1] IN ('{', '[') AND value NOT IN ('{}', '[]')))`,
  ]);
}

/** Deletes what catalogs and facts do not use any more. */
export async function collectOthers(work: Work): Promise<number> {
  return (await collectCatalogs(work)) + (await collectFactPaths(work));
}

async function collect({ inTransaction }: Work, deletions: readonly string[]): Promise<number> {
  return inTransaction(async (tx, caches) => {
    let deleted = 0;
    for (const sql of deletions) deleted += await deleteRows(tx, sql);
    if (deleted > 0) caches.clearDictionaries();
    return deleted;
  });
}
