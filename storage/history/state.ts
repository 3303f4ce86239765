import type { Database } from "../engine/database.ts";
import { deleteRowsOf, isOneOf } from "../engine/rows-of-ids.ts";
import type { Snapshot } from "../engine/snapshot.ts";
import type { Transaction } from "../engine/transaction.ts";
import type { Timestamp } from "../time.ts";

/** The tables with changes; each has the columns `node_id` and `changed`. */
export const historyTables = [
  "history_facts",
  "history_resources",
  "history_edges",
  "history_packages",
  "history_nodes",
] as const;

/** The table of the times of documents. */
export const documentTable = "history_documents";

/** All tables with rows of nodes, and the column of their time. */
const tablesWithTime = [
  ...historyTables.map((table) => ({ table, time: "changed" })),
  { table: documentTable, time: "produced" },
] as const;

/** Records since when changes are complete, unless that is recorded. */
export async function beginHistory(tx: Transaction, now: Timestamp): Promise<void> {
  await tx.execute("history_state", "INSERT INTO history_state SELECT $1 WHERE NOT EXISTS (FROM history_state)", [
    { micros: now },
  ]);
}

/** Since when changes are complete; undefined: none are recorded. */
export async function historyBegan(
  reader: Pick<Transaction | Snapshot, "rows"> | Database,
): Promise<Timestamp | undefined> {
  const [row] = await reader.rows<{ begun: Timestamp }>("SELECT epoch_us(begun) AS begun FROM history_state");
  return row?.begun;
}

/** Records since when changes are complete, whatever is recorded of that. */
export async function setHistoryBegan(tx: Transaction, begun: Timestamp): Promise<void> {
  await tx.execute("history_state", "DELETE FROM history_state");
  await beginHistory(tx, begun);
}

/**
 * Deletes changes before a time, and none after it.
 * @returns how many changes
 */
export async function purgeHistory(tx: Transaction, horizon: Timestamp): Promise<number> {
  if ((await historyBegan(tx)) === undefined) return 0;
  let purged = 0;
  for (const { table, time } of tablesWithTime) {
    const [row] = await tx.returning<{ Count: bigint }>(table, `DELETE FROM ${table} WHERE ${time} < $1`, [
      { micros: horizon },
    ]);
    if (time === "changed") purged += Number(row?.Count ?? 0);
  }
  await tx.execute("history_state", "UPDATE history_state SET begun = $1 WHERE begun < $1", [{ micros: horizon }]);
  return purged;
}

/** Deletes all changes, where there may be any: for a store that records none, whose changes would have gaps. */
export async function endHistory(tx: Transaction): Promise<void> {
  if ((await historyBegan(tx)) === undefined) return;
  const tables = [...tablesWithTime.map(({ table }) => table), "history_state"];
  await tx.execute(tables, tables.map((table) => `DELETE FROM ${table}`).join("; "));
}

/** Deletes the changes of some nodes. */
export async function forgetNodes(tx: Transaction, nodes: readonly number[]): Promise<void> {
  for (const { table } of tablesWithTime) await deleteRowsOf(tx, table, "node_id", nodes);
}

/** Deletes what is recorded of some nodes since a time; undefined: all of it. */
export async function forgetSince(
  tx: Transaction,
  nodes: readonly number[],
  from: Timestamp | undefined,
): Promise<void> {
  if (from === undefined) return forgetNodes(tx, nodes);
  for (const { table, time } of tablesWithTime) {
    await tx.execute(table, `DELETE FROM ${table} WHERE ${time} >= $1 AND ${isOneOf("node_id", nodes)}`, [
      { micros: from },
    ]);
  }
}
