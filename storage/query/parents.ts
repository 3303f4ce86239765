import type { ReadableDatabase } from "../engine/overlaid.ts";
import type { NodeIndex } from "../nodes/node-index.ts";

/** Objects whose absence makes the routes below them a 404 (`reference/query.md §3`). */
export type ParentKind = "node" | "factset" | "catalog" | "report" | "environment" | "producer";

/** Where they are stored: a row of a table, found by its key, and the condition that the row must meet. */
const parents: Readonly<Record<ParentKind, { readonly table: string; readonly key: string; readonly has?: string }>> = {
  node: { table: "nodes", key: "certname" },
  factset: { table: "nodes", key: "certname", has: "facts_timestamp IS NOT NULL" },
  catalog: { table: "nodes", key: "certname", has: "catalog_hash IS NOT NULL" },
  report: { table: "reports", key: "hash" },
  environment: { table: "environments", key: "name" },
  producer: { table: "producers", key: "name" },
};

/**
 * Whether there is such a thing, inactive nodes included.
 * @param nodes those that are in memory
 */
export async function parentExists(
  database: ReadableDatabase,
  kind: ParentKind,
  id: string,
  nodes: NodeIndex,
): Promise<boolean> {
  const { table, key, has = "true" } = parents[kind];
  const node = key === "certname" ? nodes.idOf(id) : undefined;
  const [column, value] = node === undefined ? [key, id] : ["id", node];
  const rows = await database.rows(`SELECT 1 FROM ${table} WHERE ${column} = $1 AND ${has} LIMIT 1`, [value]);
  return rows.length > 0;
}
