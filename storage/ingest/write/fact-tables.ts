import { deleteRowsOf } from "../../engine/delete-rows.ts";
import type { Transaction } from "../../engine/transaction.ts";
import type { RowText } from "../row-text.ts";
import { VECTOR } from "./spaced-rows.ts";

/** The tables that hold a fact set's values; the view `facts` shows both (`storage/schema/migrations/004-facts-by-length.ts`). */
export const factTables = ["short_facts", "long_facts"] as const;

/** Values of more characters are long. Queries return the same whichever table has a value. */
const LONGEST_SHORT = 64;

/** Characters that a vector of long facts has at most, besides one fact. */
const LARGEST_VECTOR = 16 * 1024 * 1024;

/** A vector has no more characters than {@link LARGEST_VECTOR} where each row has no more than this. */
const PER_ROW = LARGEST_VECTOR / VECTOR;

/** The table of a value, by its JSON text. */
export function factTable(value: RowText): (typeof factTables)[number] {
  return value.length > LONGEST_SHORT ? "long_facts" : "short_facts";
}

/** Spacers after a long fact or leaf, so that few others are in its vector (`storage/schema/migrations/006-facts-apart.ts`). */
export function spacersAfter(value: RowText, sortKey: string): number {
  return Math.min(VECTOR - 1, Math.floor((value.length + sortKey.length) / PER_ROW));
}

/** A node's spacers have its id and this: more than any id of a node. */
const SPACER = 2 ** 30;

/** The path id of spacers among the leaves. */
export const SPACER_PATH = -1;

/** The node id of a node's spacers. */
export function spacerId(node: number): number {
  return node + SPACER;
}

/** SQL of how many characters the long values of a node have at least; see `longTextSizes`. */
export function factSpacers(table: "long_facts" | "fact_leaves"): string {
  return `SELECT node_id - ${SPACER} AS id, count(*)::DOUBLE * ${PER_ROW} AS characters FROM ${table}
    WHERE node_id >= ${SPACER} GROUP BY ALL`;
}

/** Deletes the facts of some nodes, and their leaves. */
export async function deleteFacts(tx: Transaction, nodes: readonly number[]): Promise<void> {
  for (const table of [...factTables, "fact_leaves"]) await deleteRowsOf(tx, table, "node_id", nodes);
  // In statements of their own: together, the engine would have to look at the rows of all nodes between.
  for (const table of ["long_facts", "fact_leaves"]) await deleteRowsOf(tx, table, "node_id", nodes.map(spacerId));
}
