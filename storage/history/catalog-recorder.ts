import type { Transaction } from "../engine/transaction.ts";
import { append } from "../ingest/write/append.ts";
import { type Batch, replacedNodes } from "../ingest/write/batch.ts";
import { type CopiedRows, copyRows, dropCopies, presentRows } from "./copied-rows.ts";

const resources: CopiedRows = {
  table: "resources_before",
  select: "SELECT node_id, resource_id AS id FROM catalog_resources",
  node: "node_id",
};

const edges: CopiedRows = {
  table: "edges_before",
  select: "SELECT node_id, edge_id AS id FROM catalog_edges",
  node: "node_id",
};

/** SELECT of the rows `node_id`, `id`, `came` that only one of both has. */
function differing(rows: CopiedRows, nodes: readonly number[]): string {
  const present = `(${presentRows(rows, nodes)})`;
  return `SELECT node_id, id, false AS came FROM (FROM ${rows.table} EXCEPT FROM ${present})
    UNION ALL SELECT node_id, id, true FROM (FROM ${present} EXCEPT FROM ${rows.table})`;
}

interface Difference {
  readonly node: number;
  readonly id: number;
  readonly came: boolean;
}

interface ResourceChange {
  readonly node: number;
  readonly type: string;
  readonly title: string;
  before: number | null;
  after: number | null;
}

/**
 * To be called before catalogs are replaced.
 * @returns what {@link recordCatalogs} needs: the nodes whose catalogs are replaced
 */
export async function beginCatalogs(tx: Transaction, { catalogs }: Batch): Promise<readonly number[]> {
  const nodes = replacedNodes(catalogs);
  if (nodes.length > 0) await copyRows(tx, [resources, edges], nodes);
  return nodes;
}

/** Records which resources and edges of nodes have changed; to be called when the catalogs have been replaced. */
export async function recordCatalogs(tx: Transaction, { catalogs }: Batch, nodes: readonly number[]): Promise<void> {
  if (nodes.length === 0) return;
  const found = await tx.rows<Difference & { readonly type: string; readonly title: string }>(
    `SELECT d.node_id AS node, d.id, d.came, r.type, r.title
      FROM (${differing(resources, nodes)}) d JOIN resources r ON r.id = d.id ORDER BY node, type, title`,
  );
  const origin = (node: number): [at: bigint, transaction: string | null] => {
    const data = catalogs.get(node)?.data;
    return [data?.producerTimestamp ?? 0n, data?.meta.transaction_uuid ?? null];
  };
  await append(tx, "history_resources", paired(found), ({ node, type, title, before, after }) => [
    node,
    type,
    title,
    before,
    after,
    ...origin(node),
  ]);
  const changed = await tx.rows<Difference>(
    `SELECT node_id AS node, id, came FROM (${differing(edges, nodes)}) ORDER BY node, came, id`,
  );
  await append(tx, "history_edges", changed, ({ node, id, came }) => [node, id, came, ...origin(node)]);
  await dropCopies(tx, [resources, edges]);
}

/** A resource that is in both catalogs with other content is one change. Rows of one resource follow each other. */
function paired(found: readonly (Difference & Pick<ResourceChange, "type" | "title">)[]): ResourceChange[] {
  const changes: ResourceChange[] = [];
  for (const { node, type, title, id, came } of found) {
    let last = changes.at(-1);
    if (last?.node !== node || last.type !== type || last.title !== title) {
      last = { node, type, title, before: null, after: null };
      changes.push(last);
    }
    last[came ? "after" : "before"] = id;
  }
  return changes;
}
