import type { Timestamp } from "../time.ts";
import type { NodeRow } from "./columns.ts";

/**
 * Makes an inactive node active again for a command with this producer timestamp, unless the node was deactivated or
 * expired at that time or later (`reference/lifecycle.md §1`).
 */
export function activate(node: NodeRow, at: Timestamp): void {
  const { deactivated, expired } = node;
  if (deactivated === null && expired === null) return;
  if ((deactivated !== null && deactivated > at) || (expired !== null && expired > at)) return;
  if ((deactivated !== null && deactivated < at) || (expired !== null && expired < at)) {
    node.deactivated = null;
    node.expired = null;
  }
}

/** Deactivates the node, unless newer data about it is stored (`reference/lifecycle.md §1`). */
export function deactivate(node: NodeRow, at: Timestamp): "stored" | "stale" {
  const newest = [node.catalog_producer_timestamp, node.facts_producer_timestamp, node.report_producer_timestamp];
  if (newest.some((time) => time !== null && time > at)) return "stale";
  if (node.deactivated === null || node.deactivated < at) node.deactivated = at;
  return "stored";
}
