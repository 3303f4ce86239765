import { VECTOR_ROWS } from "../../engine/file-layout.ts";
import { deleteRowsOf, isOneOf } from "../../engine/rows-of-ids.ts";
import { VOLATILE } from "../../engine/table-versions.ts";
import type { Transaction } from "../../engine/transaction.ts";
import type { RowText } from "../row-text.ts";

/** The tables with a fact set's values; the view `facts` has both (`storage/schema/migrations/004-facts-by-length.ts`). */
const valueTables = ["short_facts", "long_facts"] as const;

/** Those with its scalars; the view `fact_leaves` has both (`storage/schema/migrations/013-volatile-leaves.ts`). */
const leafTables = ["steady_leaves", "volatile_leaves"] as const;

export type FactTable = (typeof valueTables)[number] | (typeof leafTables)[number];

/** Those in which rows are kept apart. */
const spacedTables = ["long_facts", "steady_leaves"] as const;

/** Values of more characters are long. Queries return the same whichever table has a value. */
const MAX_SHORT = 64;

/** Characters of a row of long facts, on average: those of a vector are 16 MB at most, besides one fact. */
const PER_ROW = 8192;

/** The table of a value, by its JSON text. */
export function factTable(value: RowText): (typeof valueTables)[number] {
  return value.length > MAX_SHORT ? "long_facts" : "short_facts";
}

/** Spacers after a long fact or leaf, so that few others are in its vector (`storage/schema/migrations/006-facts-apart.ts`). */
export function spacersAfter(value: RowText, sortKey: string): number {
  return Math.min(VECTOR_ROWS - 1, Math.floor((value.length + sortKey.length) / PER_ROW));
}

/** A node's spacers have its id and this: more than any id of a node. */
const SPACER = 2 ** 30;

/** The path id of spacers among the leaves. */
export const SPACER_PATH = -1;

/** The node id of a node's spacers. */
export function spacerId(node: number): number {
  return node + SPACER;
}

/** SQL of a lower bound of the characters of a node's long values; see `longTextSizes`. */
export function factSpacers(table: (typeof spacedTables)[number]): string {
  return `SELECT node_id - ${SPACER} AS id, count(*)::DOUBLE * ${PER_ROW} AS characters FROM ${table}
    WHERE node_id >= ${SPACER} GROUP BY ALL`;
}

/** Deletes the facts of some nodes, and their leaves. */
export async function deleteFacts(tx: Transaction, nodes: readonly number[]): Promise<void> {
  for (const table of [...valueTables, ...leafTables]) await deleteRowsOf(tx, table, "node_id", nodes);
  // In separate statements: otherwise the engine would read the rows of all nodes between the ids.
  for (const table of spacedTables) await deleteRowsOf(tx, table, "node_id", nodes.map(spacerId));
}

/**
 * Deletes the facts with some names of some nodes, and the leaves in the table of volatile ones.
 * @param names of all facts that are volatile or have volatile parts
 */
export async function deleteVolatileFacts(
  tx: Transaction,
  nodes: readonly number[],
  names: Iterable<string>,
): Promise<void> {
  if (nodes.length === 0) return;
  const changing = changingVolatileFacts(tx);
  for (const table of valueTables) {
    const isNamed = "name IN (SELECT unnest($1::JSON::VARCHAR[]))";
    await changing.execute(table, `DELETE FROM ${table} WHERE ${isOneOf("node_id", nodes)} AND ${isNamed}`, [
      JSON.stringify([...names]),
    ]);
  }
  await deleteRowsOf(tx, "volatile_leaves", "node_id", nodes);
}

/** A transaction for statements that change only rows of volatile facts, in the tables of values. */
export function changingVolatileFacts(tx: Transaction): Transaction {
  return tx.changing([VOLATILE]);
}
