import { reportHash } from "../hash/hashes.ts";
import type { Json } from "../json.ts";
import type { Timestamp } from "../time.ts";
import { cleanJson } from "./clean.ts";
import {
  anyInteger,
  asSent,
  boolean,
  integer,
  jsonString,
  number,
  oneOf,
  printedText,
  rawDocument,
  text,
  uuid,
  wireTime,
} from "./kinds.ts";
import { check, type ReadContext } from "./payload.ts";
import { reportUpgrades } from "./report-upgrades.ts";
import { list, listOrNull, nullable, optional, record } from "./shape.ts";
import { upgrade } from "./upgrade.ts";

/** `store report`, version 8 (reference/commands.md §3.3). */
export interface Report {
  readonly certname: string;
  readonly puppet_version: string;
  readonly report_format: number;
  readonly configuration_version: string;
  readonly start_time: Timestamp;
  readonly end_time: Timestamp;
  readonly producer_timestamp: Timestamp;
  readonly producer: string | null;
  readonly corrective_change: boolean | null;
  readonly transaction_uuid: string | null;
  readonly catalog_uuid: string | null;
  readonly code_id: string | null;
  readonly job_id: string | null;
  readonly cached_catalog_status: string | null;
  readonly environment: string;
  readonly status: string | null;
  readonly noop: boolean | null;
  readonly noop_pending: boolean | null;
  readonly type: "agent" | "plan";
  /** the list as sent, or null */
  readonly metrics: Json;
  /** the list as sent, with the times as spelled, or null */
  readonly logs: Json;
  readonly resources: readonly ReportResource[];
  /** the same resources as the documents that were sent (after the upgrade of an old version) */
  readonly resources_as_sent: Json;
  /** reference/hashing.md §6 */
  readonly hash: string;
}

export interface ReportResource {
  readonly skipped: boolean;
  readonly timestamp: Timestamp;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly containment_path: readonly string[] | null;
  readonly corrective_change: boolean | null;
  readonly events: readonly ResourceEvent[];
}

export interface ResourceEvent {
  readonly status: string;
  readonly timestamp: Timestamp;
  readonly property: string | null;
  /** as sent; may contain U+0000 and lone surrogates */
  readonly new_value: Json;
  /** as {@link ResourceEvent.new_value} */
  readonly old_value: Json;
  readonly message: string | null;
  readonly corrective_change: boolean | null;
  readonly name: string | null;
}

const event = record<ResourceEvent>(
  {
    status: text,
    timestamp: wireTime,
    property: nullable(printedText),
    new_value: rawDocument,
    old_value: rawDocument,
    message: nullable(printedText),
    corrective_change: nullable(boolean),
    name: optional(nullable(printedText)),
  },
  "refused",
);

const resource = record<ReportResource>(
  {
    skipped: boolean,
    timestamp: wireTime,
    resource_type: text,
    resource_title: printedText,
    file: nullable(text),
    line: nullable(integer(32)),
    containment_path: nullable(list(printedText)),
    corrective_change: nullable(boolean),
    events: listOrNull(event),
  },
  "refused",
);

const metric = record({ category: jsonString, name: jsonString, value: number }, "refused");

const log = record(
  {
    file: nullable(jsonString),
    line: nullable(anyInteger),
    level: jsonString,
    message: jsonString,
    source: jsonString,
    tags: listOrNull(jsonString),
    time: wireTime,
  },
  "refused",
);

const format = record<Omit<Report, "hash" | "resources_as_sent">>(
  {
    certname: text,
    puppet_version: text,
    report_format: integer(16),
    configuration_version: printedText,
    start_time: wireTime,
    end_time: wireTime,
    producer_timestamp: wireTime,
    producer: nullable(text),
    corrective_change: nullable(boolean),
    transaction_uuid: nullable(uuid),
    catalog_uuid: nullable(uuid),
    code_id: nullable(text),
    job_id: optional(nullable(text)),
    cached_catalog_status: nullable(text),
    environment: text,
    status: nullable(text),
    noop: nullable(boolean),
    noop_pending: nullable(boolean),
    type: optional(oneOf(["agent", "plan"]), "agent"),
    metrics: nullable(asSent(list(metric))),
    logs: nullable(asSent(list(log))),
    resources: listOrNull(resource),
  },
  "refused",
);

/**
 * Checks a report of any supported version and upgrades it to the current one.
 * @throws WireError
 */
export function readReport(payload: Json, version: number, { received, problems }: ReadContext): Report {
  const sent = upgrade(payload, version, reportUpgrades, received);
  const report = check(format, sent, problems);
  const { resources, transaction_uuid } = sent as { resources: Json; transaction_uuid: string | null };
  return {
    ...report,
    resources_as_sent: cleanJson(resources),
    hash: reportHash({ ...report, transaction_uuid }),
  };
}
