import type { Json } from "#storage/json.ts";

/** Fields of `reports` that the page shows. Times are ISO texts. */
export interface ReportRow {
  readonly hash: string;
  readonly certname: string;
  readonly status: string | null;
  readonly noop: boolean | null;
  readonly noop_pending: boolean | null;
  readonly corrective_change: boolean | null;
  readonly cached_catalog_status: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly producer_timestamp: string;
  readonly receive_time: string;
  readonly configuration_version: string | null;
  readonly code_id: string | null;
  readonly catalog_uuid: string | null;
  readonly transaction_uuid: string | null;
  readonly job_id: string | null;
  readonly puppet_version: string | null;
  readonly report_format: number | null;
  readonly environment: string | null;
  readonly producer: string | null;
  readonly type: string | null;
}

export const reportColumns = [
  "hash",
  "certname",
  "status",
  "noop",
  "noop_pending",
  "corrective_change",
  "cached_catalog_status",
  "start_time",
  "end_time",
  "producer_timestamp",
  "receive_time",
  "configuration_version",
  "code_id",
  "catalog_uuid",
  "transaction_uuid",
  "job_id",
  "puppet_version",
  "report_format",
  "environment",
  "producer",
  "type",
] as const satisfies readonly (keyof ReportRow)[];

/** What happened to a property of a resource, or to the resource: the fields of `events` that the page shows. */
export interface ReportEvent {
  /** `success`, `failure`, `noop`, `skipped`, `audit` */
  readonly status: string;
  readonly timestamp: string;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly property: string | null;
  readonly old_value: Json;
  readonly new_value: Json;
  readonly message: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly containing_class: string | null;
  readonly corrective_change: boolean | null;
}

export const eventColumns = [
  "status",
  "timestamp",
  "resource_type",
  "resource_title",
  "property",
  "old_value",
  "new_value",
  "message",
  "file",
  "line",
  "containing_class",
  "corrective_change",
] as const satisfies readonly (keyof ReportEvent)[];

/** A line of the log of a run. */
export interface LogLine {
  /** `debug`, `info`, `notice`, `warning`, `err`, `alert`, `emerg`, `crit` */
  readonly level: string;
  readonly message: string;
  /** `Puppet`, or the path of a resource: `/Stage[main]/Motd/File[/etc/motd]/content` */
  readonly source: string | null;
  readonly time: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly tags: readonly string[] | null;
}

/** A number that the agent measured. */
export interface Metric {
  readonly category: string;
  readonly name: string;
  readonly value: Json;
}

/** An edge of a catalog: the source comes first, or contains the target. */
export interface CatalogEdge {
  readonly relationship: string;
  readonly source_type: string;
  readonly source_title: string;
  readonly target_type: string;
  readonly target_title: string;
}
