import { isOneOf, rowsOfIds } from "../engine/rows-of-ids.ts";
import type { Transaction } from "../engine/transaction.ts";
import { resourceKey } from "./tables.ts";

/** The content of a catalog as ids of `resources` and `edges`. */
export interface CatalogIds {
  readonly resources: readonly number[];
  readonly edges: readonly number[];
}

const none: CatalogIds = { resources: [], edges: [] };

/** Reads what the stored catalogs of some nodes contain. */
export async function readCatalogs(tx: Transaction, nodes: readonly number[]): Promise<(node: number) => CatalogIds> {
  const of = (table: string): string => `${rowsOfIds(table, "node_id", nodes)} GROUP BY node_id`;
  const rows = await tx.rows<{ node: number; what: keyof CatalogIds; ids: string }>(
    `SELECT node_id AS node, 'resources' AS what, list(resource_id)::VARCHAR AS ids FROM ${of("catalog_resources")}
      UNION ALL SELECT node_id, 'edges', list(edge_id)::VARCHAR FROM ${of("catalog_edges")}`,
  );
  const found = new Map<number, CatalogIds>();
  for (const { node, what, ids } of rows) {
    found.set(node, { ...(found.get(node) ?? none), [what]: JSON.parse(ids) as number[] });
  }
  return (node) => found.get(node) ?? none;
}

/** The names of some resources, by their ids. */
export async function resourceNames(tx: Transaction, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
  const wanted = new Set(ids);
  if (wanted.size === 0) return new Map();
  const rows = await tx.rows<{ id: number; type: string; title: string }>(
    `SELECT id, type, title FROM resources WHERE ${isOneOf("id", [...wanted])}`,
  );
  return new Map(rows.map(({ id, type, title }) => [id, resourceKey(type, title)]));
}
