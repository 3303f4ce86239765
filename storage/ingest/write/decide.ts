import type { Timestamp } from "../../time.ts";
import type { Batch } from "./batch.ts";
import { type NodeRow, repeatValues } from "../../nodes/columns.ts";
import type { Outcome } from "../outcome.ts";
import type {
  PreparedCatalog,
  PreparedFacts,
  PreparedInputs,
  PreparedReport,
  UnchangedCatalog,
  UnchangedFacts,
} from "../prepared.ts";

/*
 * The outcome of a command (`reference/commands.md §4`): each function compares the command with the node's row, updates
 * the row, and adds the data to the batch.
 */

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
  const { meta } = report;
  const id = batch.nextReportId++;
  batch.reports.push({ node, id, data: report });
  batch.addNames(meta.environment, meta.producer);
  const latest = node.report_producer_timestamp;
  if (meta.type === "plan" || (latest !== null && meta.producer_timestamp <= latest)) return "stored";
  node.report_id = id;
  node.report_corrective_change = storesCorrectiveChange ? meta.corrective_change : null;
  repeatValues(node, "report", meta);
  return "stored";
}
