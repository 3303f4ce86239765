import type { Json } from "#storage/json.ts";
import type { NodeStateRow } from "../state/states.ts";

/** The fields of `nodes` that the table shows. */
export interface NodeRow extends NodeStateRow {
  readonly certname: string;
  readonly report_environment: string | null;
  readonly catalog_environment: string | null;
  readonly facts_environment: string | null;
  readonly catalog_timestamp: string | null;
  readonly facts_timestamp: string | null;
  readonly latest_report_hash: string | null;
  readonly latest_report_noop: boolean | null;
  readonly deactivated: string | null;
  readonly expired: string | null;
}

export const nodeFields: readonly (keyof NodeRow)[] = [
  "certname",
  "report_timestamp",
  "latest_report_status",
  "latest_report_corrective_change",
  "latest_report_noop",
  "latest_report_noop_pending",
  "cached_catalog_status",
  "latest_report_hash",
  "report_environment",
  "catalog_environment",
  "facts_environment",
  "catalog_timestamp",
  "facts_timestamp",
  "deactivated",
  "expired",
];

/** A row of the table: a node, and what is fetched for the rows that are seen. */
export interface ListedNode {
  readonly certname: string;
  /** Undefined while it is on its way. */
  readonly node: NodeRow | undefined;
}

/** Numbers of events of the last run by status. */
export type EventCounts = Readonly<Record<string, number>>;

/** Values of the rows that are seen which are no fields of `nodes`: by certname, then by the field of the column. */
export type FieldValues = ReadonlyMap<string, ReadonlyMap<string, Json>>;
