import { deleteRowsOf, isOneOf } from "../engine/rows-of-ids.ts";
import type { Transaction } from "../engine/transaction.ts";
import { CensusError } from "../errors.ts";
import { forgetNodes } from "../history/state.ts";
import { deleteFacts } from "../ingest/write/fact-tables.ts";
import { deleteInputs } from "../ingest/write/inputs.ts";
import type { NodeRow } from "../nodes/columns.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import type { Timestamp } from "../time.ts";
import type { Work } from "./work.ts";

/** Tables with rows of a node besides its facts and inputs, by their `node_id`. */
const TABLES = ["catalog_resources", "catalog_edges", "node_packages", "failures", "reports", "origin_nodes"] as const;

/**
 * Removes nodes that have been inactive for longer than `nodePurgeTtl`, at most the requested number
 * (`reference/lifecycle.md §3`).
 * @throws CensusError "bad-input" for a negative limit
 */
export async function purgeNodes({ inTransaction, now, retention, request, signal, isOrdered }: Work): Promise<number> {
  const limit = request.purgeLimit ?? Infinity;
  if (limit < 0) throw new CensusError("bad-input", `purge_nodes: batch_limit must be 0 or more, not ${limit}`);
  let purged = 0;
  while (purged < limit) {
    signal.throwIfAborted();
    const count = await inTransaction(async (tx, { nodes }) => {
      const due = [...nodes.all()].filter((node) => isDue(node, now - retention.nodePurgeTtl));
      if (isOrdered) due.sort(byName);
      // Commands wait for this transaction.
      return removeNodes(tx, nodes, due.slice(0, Math.min(500, limit - purged)));
    });
    if (count === 0) break;
    purged += count;
  }
  return purged;
}

/** Removes everything about a node, if it is known. */
export async function removeNode(tx: Transaction, nodes: NodeIndex, certname: string): Promise<void> {
  const node = nodes.get(certname);
  if (node !== undefined) await removeNodes(tx, nodes, [node]);
}

function byName(a: NodeRow, b: NodeRow): number {
  return a.certname < b.certname ? -1 : 1;
}

function isDue({ deactivated, expired }: NodeRow, horizon: Timestamp): boolean {
  return (deactivated !== null && deactivated < horizon) || (expired !== null && expired < horizon);
}

/** Removes everything about some nodes; what they share with others remains until it is collected. */
export async function removeNodes(tx: Transaction, nodes: NodeIndex, removed: readonly NodeRow[]): Promise<number> {
  if (removed.length === 0) return 0;
  const ids = removed.map(({ id }) => id);
  // Spacers are deleted by separate statements, because the engine reads all rows between the smallest and the largest
  // id.
  for (const id of ["id", "-id"]) {
    await tx.execute(
      "events",
      `DELETE FROM events WHERE report_id IN (SELECT ${id} FROM reports WHERE id > 0 AND ${isOneOf("node_id", ids)})`,
    );
  }
  await deleteFacts(tx, ids);
  await deleteInputs(tx, ids);
  for (const table of TABLES) await deleteRowsOf(tx, table, "node_id", ids);
  // Ids may be used again.
  await forgetNodes(tx, ids);
  await deleteRowsOf(tx, "nodes", "id", ids);
  nodes.remove(removed);
  return removed.length;
}
