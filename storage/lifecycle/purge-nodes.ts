import { deleteRowsOf } from "../engine/delete-rows.ts";
import type { Transaction } from "../engine/transaction.ts";
import { CensusError } from "../errors.ts";
import { deleteFacts } from "../ingest/write/fact-tables.ts";
import { deleteInputs } from "../ingest/write/inputs.ts";
import type { NodeRow } from "../nodes/columns.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import type { Timestamp } from "../time.ts";
import type { Work } from "./work.ts";

/** Nodes purged in one transaction at most: commands wait for it. */
const AT_ONCE = 500;

/** Tables with rows of a node besides its facts and inputs, by their `node_id`. */
const TABLES = ["catalog_resources", "catalog_edges", "node_packages", "reports"] as const;

/**
 * Removes nodes that have been inactive for longer than `nodePurgeTtl`, as many as asked for (`reference/lifecycle.md §3`).
 * @throws CensusError "bad-input" for a limit below 0
 */
export async function purgeNodes({ inTransaction, now, retention, request, signal }: Work): Promise<number> {
  const limit = request.purgeLimit ?? Infinity;
  if (limit < 0) throw new CensusError("bad-input", `purge_nodes: batch_limit must be 0 or more, not ${limit}`);
  let purged = 0;
  while (purged < limit) {
    signal.throwIfAborted();
    const count = await inTransaction(async (tx, { nodes }) => {
      const due = [...nodes.all()].filter((node) => isDue(node, now - retention.nodePurgeTtl));
      return removeNodes(tx, nodes, due.slice(0, Math.min(AT_ONCE, limit - purged)));
    });
    if (count === 0) break;
    purged += count;
  }
  return purged;
}

function isDue({ deactivated, expired }: NodeRow, horizon: Timestamp): boolean {
  return (deactivated !== null && deactivated < horizon) || (expired !== null && expired < horizon);
}

/** Removes everything about some nodes; what they share with others stays until it is collected. */
export async function removeNodes(tx: Transaction, nodes: NodeIndex, gone: readonly NodeRow[]): Promise<number> {
  if (gone.length === 0) return 0;
  const ids = gone.map(({ id }) => id);
  // Spacers are in statements of their own, since the engine looks at all rows between the least id and the greatest.
  for (const id of ["id", "-id"]) {
    await tx.execute(
      `DELETE FROM events WHERE report_id IN (SELECT ${id} FROM reports WHERE id > 0 AND node_id IN (SELECT unnest($1::INTEGER[])))`,
      [`[${ids.join(",")}]`],
    );
  }
  await deleteFacts(tx, ids);
  await deleteInputs(tx, ids);
  for (const table of TABLES) await deleteRowsOf(tx, table, "node_id", ids);
  await deleteRowsOf(tx, "nodes", "id", ids);
  nodes.remove(gone);
  return gone.length;
}
