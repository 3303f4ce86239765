import { deleteRowsOf } from "../../engine/delete-rows.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { append } from "./append.ts";
import { type Batch, replacedNodes } from "./batch.ts";

/** Writes catalog inputs. */
export async function writeInputs(tx: Transaction, { inputs }: Batch): Promise<void> {
  await deleteRowsOf(tx, "catalog_inputs", "node_id", replacedNodes(inputs));
  const rows = [...inputs].flatMap(([node, { data }]) => data.inputs.map((input) => [node, ...input] as const));
  await append(tx, "catalog_inputs", rows, (row) => row);
}
