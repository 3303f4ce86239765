import type { Transaction } from "../../engine/transaction.ts";
import type { Timestamp } from "../../time.ts";
import type { Batch } from "./batch.ts";
import { Yielder } from "../yielder.ts";
import type { NodeIndex } from "../../nodes/node-index.ts";
import type { Prepared, PreparedReport } from "../prepared.ts";
import { failureInLog } from "../../issues/read.ts";
import { SpacedRows } from "./spaced-rows.ts";

export interface WriteOptions {
  /** Events of a report at or before this moment are not stored; null stores all (`reference/commands.md §4.3`). */
  readonly eventHorizon: (report: PreparedReport) => Timestamp | null;
  /**
   * Whether `corrective_change` is stored: open-source PuppetDB reads null whatever was sent, Puppet Enterprise stores
   * it (`reference/commands.md §4.3`).
   */
  readonly storesCorrectiveChange: boolean;
}

/** What is cached of the table `reports`. */
export class StoredReports {
  /** Whether any report of a plan is stored; undefined where that is not known. */
  #hasPlans: boolean | undefined;
  #nextId: bigint | undefined;

  clear(): void {
    this.#hasPlans = undefined;
    this.#nextId = undefined;
  }

  /** The id of the next report. */
  async nextId(tx: Transaction): Promise<bigint> {
    if (this.#nextId === undefined) {
      const [row] = await tx.rows<{ next: bigint }>("SELECT coalesce(max(id), 0)::BIGINT + 1 AS next FROM reports");
      this.#nextId = row?.next ?? 1n;
    }
    return this.#nextId;
  }

  /** Ids before `next` are used. */
  used(next: bigint): void {
    this.#nextId = next;
  }

  /**
   * The hashes of those reports of a batch that are stored already. A report's hash covers its certname and its producer
   * timestamp, and a node's latest report is never deleted: a later one of an agent cannot be stored, so that usually no
   * query is needed. The latest report is never that of a plan, so the table is queried where there are reports of plans.
   */
  async hashesOf(tx: Transaction, commands: readonly Prepared[], nodes: NodeIndex): Promise<Set<string>> {
    const reports = commands.filter((command) => command.command === "store report" && command.kind === "full");
    if (reports.length === 0) return new Set();
    const hasPlans = (this.#hasPlans ??= await hasStoredPlans(tx));
    this.#hasPlans ||= reports.some(({ meta }) => meta.type === "plan");
    const suspects = hasPlans ? reports : reports.filter((report) => !isLatest(report, nodes));
    return storedHashes(tx, suspects);
  }
}

async function hasStoredPlans(tx: Transaction): Promise<boolean> {
  const found = await tx.rows("SELECT 1 FROM reports WHERE type = 'plan' LIMIT 1");
  return found.length > 0;
}

function isLatest({ certname, producerTimestamp }: PreparedReport, nodes: NodeIndex): boolean {
  const latest = nodes.get(certname)?.report_producer_timestamp ?? null;
  return latest === null || producerTimestamp > latest;
}

/** Reads only stored reports of the same span of time. */
async function storedHashes(tx: Transaction, reports: readonly PreparedReport[]): Promise<Set<string>> {
  if (reports.length === 0) return new Set();
  const times = reports.map(({ producerTimestamp }) => producerTimestamp);
  const [from, to] = [times.reduce((a, b) => (a < b ? a : b)), times.reduce((a, b) => (a > b ? a : b))];
  const rows = await tx.rows<{ hash: string }>(
    "SELECT hash FROM reports WHERE producer_timestamp BETWEEN $1 AND $2 AND hash IN (SELECT unnest($3))",
    [{ micros: from }, { micros: to }, reports.map(({ meta }) => meta.hash)],
  );
  return new Set(rows.map(({ hash }) => hash));
}

/**
 * Appends the batch's reports and their events.
 * @returns the ids of reports that may have failures, in ascending order
 */
export async function writeReports(tx: Transaction, batch: Batch, options: WriteOptions): Promise<bigint[]> {
  const { storesCorrectiveChange } = options;
  if (batch.reports.length === 0) return [];
  const failed: bigint[] = [];
  const reports = new SpacedRows(await tx.appender("reports"));
  const events = new SpacedRows(await tx.appender("events"));
  const yielder = new Yielder();
  for (const { node, id, data } of batch.reports) {
    if (yielder.isDue()) await yielder.yield();
    const { meta } = data;
    if (mayHaveFailures(data)) failed.push(id);
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
    const eventHorizon = data.events.length === 0 ? null : options.eventHorizon(data);
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
  return failed;
}

function mayHaveFailures({ meta, events, logs }: PreparedReport): boolean {
  return (
    meta.status === "failed" ||
    meta.cached_catalog_status === "on_failure" ||
    events.some(({ status }) => status === "failure") ||
    (logs !== null && failureInLog.test(typeof logs === "string" ? logs : Buffer.from(logs).toString("latin1")))
  );
}
