import type { Transaction } from "../engine/database.ts";
import type { Timestamp } from "../time.ts";
import type { Batch } from "./batch.ts";
import { Pace } from "./pace.ts";
import type { Prepared } from "./prepared.ts";

export interface WriteOptions {
  /** Events at or before this moment are not stored; null stores all (`reference/commands.md §4.3`). */
  readonly eventHorizon: Timestamp | null;
  /**
   * Whether `corrective_change` is stored: the open-source peer reads null whatever was sent, the enterprise edition keeps
   * it (`reference/commands.md §4.3`).
   */
  readonly storesCorrectiveChange: boolean;
}

/**
 * Hashes of the batch's reports that are stored already. A report's hash covers its producer timestamp, so only reports
 * of the batch's span of time are looked at.
 */
export async function storedReports(tx: Transaction, commands: readonly Prepared[]): Promise<Set<string>> {
  const reports = commands.filter((command) => command.command === "store report");
  if (reports.length === 0) return new Set();
  const times = reports.map(({ producerTimestamp }) => producerTimestamp);
  const [from, to] = [times.reduce((a, b) => (a < b ? a : b)), times.reduce((a, b) => (a > b ? a : b))];
  const rows = await tx.rows<{ hash: string }>(
    "SELECT hash FROM reports WHERE producer_timestamp BETWEEN $1 AND $2 AND hash IN (SELECT unnest($3))",
    [{ micros: from }, { micros: to }, reports.map(({ meta }) => meta.hash)],
  );
  return new Set(rows.map(({ hash }) => hash));
}

/** Appends the batch's reports and their events. */
export async function writeReports(tx: Transaction, batch: Batch, options: WriteOptions): Promise<void> {
  const { eventHorizon, storesCorrectiveChange } = options;
  if (batch.reports.length === 0) return;
  const reports = await tx.appender("reports");
  const events = await tx.appender("events");
  const pace = new Pace();
  for (const { node, id, data } of batch.reports) {
    if (pace.isDue()) await pace.rest();
    const { meta } = data;
    reports.row(
      id,
      node.id,
      meta.hash,
      meta.type,
      meta.status,
      meta.environment,
      meta.producer,
      meta.producer_timestamp,
      data.received,
      meta.start_time,
      meta.end_time,
      meta.puppet_version,
      meta.report_format,
      meta.configuration_version,
      meta.transaction_uuid,
      meta.catalog_uuid,
      meta.code_id,
      meta.job_id,
      meta.cached_catalog_status,
      meta.noop,
      meta.noop_pending,
      storesCorrectiveChange ? meta.corrective_change : null,
      data.metrics,
      data.logs,
      data.resources,
    );
    for (const [position, event] of data.events.entries()) {
      if (eventHorizon !== null && event.timestamp <= eventHorizon) continue;
      events.row(
        id,
        position,
        event.status,
        event.timestamp,
        event.resource_type,
        event.resource_title,
        event.property,
        event.name,
        event.old_value ?? "null",
        event.new_value ?? "null",
        event.message,
        event.file,
        event.line,
        event.containment_path,
        event.containing_class,
        storesCorrectiveChange ? event.corrective_change : null,
      );
    }
  }
  reports.close();
  events.close();
}
