import type { Timestamp } from "../time.ts";

/** A node's row, column for column in the order of the table `nodes` (storage/schema/migrations/001-initial.ts). */
export interface NodeRow {
  id: number;
  certname: string;
  deactivated: Timestamp | null;
  expired: Timestamp | null;
  expires_facts: boolean | null;
  expires_facts_updated: Timestamp | null;
  facts_environment: string | null;
  facts_producer: string | null;
  facts_hash: string | null;
  facts_timestamp: Timestamp | null;
  facts_producer_timestamp: Timestamp | null;
  catalog_environment: string | null;
  catalog_producer: string | null;
  catalog_hash: string | null;
  catalog_timestamp: Timestamp | null;
  catalog_producer_timestamp: Timestamp | null;
  catalog_version: string | null;
  catalog_transaction_uuid: string | null;
  catalog_uuid: string | null;
  catalog_code_id: string | null;
  catalog_job_id: string | null;
  inputs_hash: string | null;
  inputs_uuid: string | null;
  inputs_producer_timestamp: Timestamp | null;
  report_id: bigint | null;
  report_hash: string | null;
  report_environment: string | null;
  report_end_time: Timestamp | null;
  report_producer_timestamp: Timestamp | null;
  report_status: string | null;
  report_noop: boolean | null;
  report_noop_pending: boolean | null;
  report_corrective_change: boolean | null;
  report_job_id: string | null;
  cached_catalog_status: string | null;
}

const nothing: Omit<NodeRow, "id" | "certname"> = {
  deactivated: null,
  expired: null,
  expires_facts: null,
  expires_facts_updated: null,
  facts_environment: null,
  facts_producer: null,
  facts_hash: null,
  facts_timestamp: null,
  facts_producer_timestamp: null,
  catalog_environment: null,
  catalog_producer: null,
  catalog_hash: null,
  catalog_timestamp: null,
  catalog_producer_timestamp: null,
  catalog_version: null,
  catalog_transaction_uuid: null,
  catalog_uuid: null,
  catalog_code_id: null,
  catalog_job_id: null,
  inputs_hash: null,
  inputs_uuid: null,
  inputs_producer_timestamp: null,
  report_id: null,
  report_hash: null,
  report_environment: null,
  report_end_time: null,
  report_producer_timestamp: null,
  report_status: null,
  report_noop: null,
  report_noop_pending: null,
  report_corrective_change: null,
  report_job_id: null,
  cached_catalog_status: null,
};

/** A node of which only the name is known. */
export function newNode(id: number, certname: string): NodeRow {
  return { id, certname, ...nothing };
}

/** The columns of `nodes`, in order. */
export const nodeColumns: readonly (keyof NodeRow)[] = [
  "id",
  "certname",
  ...(Object.keys(nothing) as (keyof NodeRow)[]),
];

/**
 * A command about the node with that producer timestamp brings an inactive node back, unless the node was deactivated
 * or expired at that time or later (`reference/lifecycle.md §1`).
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
