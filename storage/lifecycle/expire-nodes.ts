import { valuesOf } from "../history/node-recorder.ts";
import type { NodeRow } from "../nodes/columns.ts";
import type { Timestamp } from "../time.ts";
import type { Work } from "./work.ts";

/** Marks every active node as expired whose newest data are older than `nodeTtl` (`reference/lifecycle.md §2`). */
export async function expireNodes({ inTransaction, now, retention, report }: Work): Promise<number> {
  const expired = await inTransaction(async (tx, { nodes, recorder }) => {
    const due = [...nodes.all()].filter((node) => isDue(node, now - retention.nodeTtl));
    if (due.length > 0) await recorder?.begin(tx, now);
    for (const node of due) {
      const before = valuesOf(node);
      nodes.change(node.certname).expired = now;
      recorder?.nodes.note(node, before, now);
    }
    await nodes.write(tx);
    await recorder?.nodes.write(tx);
    return due;
  });
  for (const { certname } of expired) report({ kind: "expired", certname });
  return expired.length;
}

/** Producers' times count. A node without any data is due; one whose facts are configured not to expire never is. */
function isDue(node: NodeRow, horizon: Timestamp): boolean {
  if (node.deactivated !== null || node.expired !== null) return false;
  const isConfigured = node.expires_facts_updated !== null;
  if (isConfigured && node.expires_facts !== true) return false;
  const times = [
    node.catalog_producer_timestamp,
    node.facts_producer_timestamp,
    node.report_producer_timestamp,
    node.inputs_producer_timestamp,
    node.expires_facts_updated,
  ];
  return times.every((time) => time === null || time < horizon);
}
