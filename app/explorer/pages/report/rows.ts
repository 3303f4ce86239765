import type { Json } from "#storage/json.ts";
import { parseSource, refText, type ResourceRef } from "../value/text.ts";
import { friendly } from "#storage/display/friendly.ts";

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

/** An edge of a catalog: the source comes first, or contains the target. */
export interface CatalogEdge {
  readonly relationship: string;
  readonly source_type: string;
  readonly source_title: string;
  readonly target_type: string;
  readonly target_title: string;
}

const labels: Readonly<Record<string, string>> = {
  not_used: "fresh",
  explicitly_requested: "cached, as configured",
  on_failure: "cached: no fresh one could be had",
};

/** Which catalog a run applied, from the field `cached_catalog_status`. */
export function catalogLabel(status: string | null): string {
  return labels[status ?? ""] ?? "not reported";
}

/** Levels of a log, the worst first; each button of the page shows one level and all before it. */
export const logLevels = ["err", "warning", "notice", "info", "debug"] as const;

export type LogLevel = (typeof logLevels)[number];

/** The button that a line belongs to: levels worse than `err` count as `err`, unknown ones as `notice`. */
export function levelOf(level: string): LogLevel {
  if (["emerg", "alert", "crit"].includes(level)) return "err";
  return logLevels.find((one) => one === level) ?? "notice";
}

/** Whether a line is shown when lines of `least` and worse are. */
export function isAtLeast(level: string, least: LogLevel): boolean {
  return logLevels.indexOf(levelOf(level)) <= logLevels.indexOf(least);
}

/** A line of a log with what its source names. */
export interface ParsedLine {
  readonly line: LogLine;
  /** Undefined when it is about no resource. */
  readonly resource: ResourceRef | undefined;
  readonly property: string | undefined;
  /** `refText` of the resource; otherwise the source as it is. */
  readonly source: string;
}

/** Reads the sources of a log. */
export function parsedLines(lines: readonly LogLine[]): readonly ParsedLine[] {
  return lines.map((line) => {
    const { resource, property } = (line.source === null ? undefined : parseSource(line.source)) ?? {};
    return { line, resource, property, source: resource === undefined ? (line.source ?? "") : refText(resource) };
  });
}

export interface MessageOptions {
  /** The node's name, which is left out. */
  readonly certname: string;
  /** As the agent sent it. */
  readonly isRaw: boolean;
}

/** The message of a line as it is shown. */
export function lineMessage({ line, property }: ParsedLine, { certname, isRaw }: MessageOptions): string {
  return isRaw ? line.message : friendly(line.message, { certname, property });
}
