import type { DocumentKind } from "../../archive/document-kinds.ts";
import type { Timestamp } from "../../time.ts";
import type { Batch } from "./batch.ts";
import { type NodeRow, repeatedColumns, repeatValues } from "../../nodes/columns.ts";
import { usualInterval } from "../../states/report-interval.ts";
import type { Outcome } from "../outcome.ts";
import type {
  PreparedCatalog,
  PreparedFacts,
  PreparedInputs,
  PreparedReport,
  ReportHead,
  UnchangedCatalog,
  UnchangedFacts,
} from "../prepared.ts";

/*
 * The outcome of a command (`reference/commands.md §4`): each function compares the command with the node's row, updates
 * the row, and adds the data to the batch.
 */

/** Forgets what the rows of nodes repeat of documents of these kinds. */
export function forgetDocuments(node: NodeRow, kinds: ReadonlySet<DocumentKind>): void {
  const row: Record<string, unknown> = node;
  for (const [kind, columns] of Object.entries(columnsOfKinds)) {
    if (kinds.has(kind as DocumentKind)) for (const column of columns) row[column] = null;
  }
}

const columnsOfKinds = {
  facts: ["facts_hash", ...Object.keys(repeatedColumns.facts)],
  catalogs: [
    "catalog_hash",
    "catalog_timestamp",
    "catalog_producer_timestamp",
    ...Object.keys(repeatedColumns.catalog),
  ],
  reports: ["report_id", "report_corrective_change", "report_interval", ...Object.keys(repeatedColumns.report)],
} as const satisfies Readonly<Partial<Record<DocumentKind, readonly string[]>>>;

/** Data with an equal producer timestamp replace stored ones; only older data are stale. */
export function decideFacts(batch: Batch, node: NodeRow, facts: PreparedFacts | UnchangedFacts): Outcome {
  const stored = node.facts_producer_timestamp;
  if (stored !== null && stored > facts.producerTimestamp) {
    if (facts.kind === "full") batch.late.push({ node, data: facts });
    return "stale";
  }
  const isNew = facts.kind === "full" && node.facts_hash !== facts.hash;
  if (isNew) {
    batch.replace(batch.facts, node, facts, node.facts_hash !== null);
    node.facts_hash = facts.hash;
  }
  repeatValues(node, "facts", facts);
  batch.addNames(facts.environment, facts.producer);
  return isNew ? "stored" : "unchanged";
}

export function decideCatalog(batch: Batch, node: NodeRow, catalog: PreparedCatalog | UnchangedCatalog): Outcome {
  const stored = node.catalog_producer_timestamp;
  if (stored !== null && stored > catalog.producerTimestamp) {
    if (catalog.kind === "full") batch.late.push({ node, data: catalog });
    return "stale";
  }
  const isNew = catalog.kind === "full" && node.catalog_hash !== catalog.meta.hash;
  if (isNew) {
    batch.replace(batch.catalogs, node, catalog, node.catalog_hash !== null);
    node.catalog_hash = catalog.meta.hash;
  }
  const { meta } = catalog;
  node.catalog_timestamp = catalog.received;
  node.catalog_producer_timestamp = catalog.producerTimestamp;
  repeatValues(node, "catalog", meta);
  batch.addNames(meta.environment, meta.producer);
  return isNew ? "stored" : "unchanged";
}

/** Unlike facts and catalogs, inputs with the same producer timestamp are stale. */
export function decideInputs(batch: Batch, node: NodeRow, inputs: PreparedInputs): Outcome {
  const stored = node.inputs_producer_timestamp;
  if (stored !== null && stored >= inputs.producerTimestamp) return "stale";
  batch.replace(batch.inputs, node, inputs, stored !== null);
  node.inputs_hash = inputs.hash;
  node.inputs_uuid = inputs.catalogUuid;
  node.inputs_producer_timestamp = inputs.producerTimestamp;
  return "stored";
}

export function decideExpiration(node: NodeRow, expires: boolean, at: Timestamp): Outcome {
  if (node.expires_facts_updated !== null && node.expires_facts_updated >= at) return "stale";
  node.expires_facts = expires;
  node.expires_facts_updated = at;
  return "stored";
}

/**
 * The latest report is the agent's report with the newest producer timestamp; of equal ones the first remains the
 * latest.
 */
export function decideReport(
  batch: Batch,
  node: NodeRow,
  report: PreparedReport,
  storesCorrectiveChange: boolean,
): Outcome {
  const id = batch.nextReportId++;
  batch.reports.push({ node, id, data: report });
  decideHead(batch, node, { report, id, hash: report.meta.hash, storesCorrectiveChange });
  return "stored";
}

/** The same for a report that is not stored itself. */
export function decideReportHead(
  batch: Batch,
  node: NodeRow,
  report: ReportHead,
  storesCorrectiveChange: boolean,
): Outcome {
  decideHead(batch, node, { report, id: null, hash: null, storesCorrectiveChange });
  return "unchanged";
}

interface Decided {
  readonly report: PreparedReport | ReportHead;
  readonly id: bigint | null;
  readonly hash: string | null;
  readonly storesCorrectiveChange: boolean;
}

function decideHead(
  batch: Batch,
  node: NodeRow,
  { report: { meta }, id, hash, storesCorrectiveChange }: Decided,
): void {
  batch.addNames(meta.environment, meta.producer);
  const latest = node.report_producer_timestamp;
  if (meta.type === "plan" || (latest !== null && meta.producer_timestamp <= latest)) return;
  if (latest !== null) {
    node.report_interval = usualInterval(node.report_interval, Number(meta.producer_timestamp - latest) / 1e6);
  }
  node.report_id = id;
  node.report_corrective_change = storesCorrectiveChange ? meta.corrective_change : null;
  repeatValues(node, "report", { ...meta, hash });
}
