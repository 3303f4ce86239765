import { deleteRowsOf } from "../../engine/rows-of-ids.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { Yielder } from "../yielder.ts";
import { type Batch, replacedNodes } from "./batch.ts";
import { SpacedRows } from "./spaced-rows.ts";

/** Writes catalog inputs. */
export async function writeInputs(tx: Transaction, { inputs }: Batch): Promise<void> {
  if (inputs.size === 0) return;
  await deleteInputs(tx, replacedNodes(inputs));
  const rows = new SpacedRows(await tx.appender("catalog_inputs"));
  const yielder = new Yielder();
  for (const [node, { data }] of inputs) {
    for (const input of data.inputs) {
      rows.row(node, ...input);
      if (yielder.isDue()) await yielder.yield();
    }
  }
  rows.close();
}

/** Deletes the catalog inputs of some nodes. */
export async function deleteInputs(tx: Transaction, nodes: readonly number[]): Promise<void> {
  await deleteRowsOf(tx, "catalog_inputs", "node_id", nodes);
  // The spacers, in a separate statement: otherwise the engine would read the rows of all nodes between the ids.
  await deleteRowsOf(
    tx,
    "catalog_inputs",
    "node_id",
    nodes.map((node) => -node),
  );
}
