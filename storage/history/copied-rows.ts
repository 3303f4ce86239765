import type { Transaction } from "../engine/transaction.ts";

/** Rows of some nodes before they are replaced, as a temporary table, and the same rows of the stored tables. */
export interface CopiedRows {
  /** The name of the temporary table. */
  readonly table: string;
  /** SELECT of the rows of all nodes. */
  readonly select: string;
  /** SQL of the column with the node's id. */
  readonly node: string;
}

/** SELECT of the present rows of some nodes. */
export function presentRows({ select, node }: CopiedRows, nodes: readonly number[]): string {
  return `${select} WHERE ${node} IN (SELECT unnest('[${nodes.join(",")}]'::INTEGER[]))`;
}

/** Copies the rows of some nodes. */
export async function copyRows(tx: Transaction, of: readonly CopiedRows[], nodes: readonly number[]): Promise<void> {
  const copies = of.map((rows) => `CREATE OR REPLACE TEMP TABLE ${rows.table} AS ${presentRows(rows, nodes)}`);
  await tx.execute(copies.join("; "));
}

/** Deletes copies. */
export async function dropCopies(tx: Transaction, of: readonly CopiedRows[]): Promise<void> {
  await tx.execute(of.map(({ table }) => `DROP TABLE ${table}`).join("; "));
}
