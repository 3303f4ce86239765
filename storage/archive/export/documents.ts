import { bracketed, type LongPair, objectSql, type Pair, value } from "./json-sql.ts";

/*
 * The documents of an export, with keys in PuppetDB's order (reference/archive.md §2). `n` is the node, `r` the report; the
 * other letters are the lines that `groups.ts` collects for each node, one for each element.
 */

export const expiration: readonly Pair[] = [
  ["certname", value.text("n.certname")],
  ["expire", objectSql([["facts", value.boolean("n.expires_facts")]])],
  ["producer_timestamp", value.time("n.expires_facts_updated")],
];

/** Of a row of `resources b`. */
export const resource = objectSql([
  ["type", value.text("b.type")],
  ["title", value.text("b.title")],
  ["tags", value.list("b.tags")],
  ["exported", value.boolean("b.exported")],
  ["file", value.text("b.file"), "b.file"],
  ["line", value.number("b.line"), "b.line"],
  ["parameters", value.json("b.parameters")],
]);

/** Of a row of `edges b`. */
export const edge = objectSql([
  ["source", end("source")],
  ["target", end("target")],
  ["relationship", value.text("b.relationship")],
]);

function end(side: "source" | "target"): string {
  return objectSql([
    ["title", value.text(`b.${side}_title`)],
    ["type", value.text(`b.${side}_type`)],
  ]);
}

export const catalog: readonly Pair[] = [
  ["catalog_uuid", value.text("n.catalog_uuid")],
  ["producer", value.text("n.catalog_producer")],
  ["transaction_uuid", value.text("n.catalog_transaction_uuid")],
  ["producer_timestamp", value.time("n.catalog_producer_timestamp")],
  ["environment", value.text("n.catalog_environment")],
  ["code_id", value.text("n.catalog_code_id")],
  ["version", value.text("n.catalog_version")],
  ["resources", bracketed("s.lines", "[]")],
  ["certname", value.text("n.certname")],
  ["edges", bracketed("e.lines", "[]")],
  ["job_id", value.text("n.catalog_job_id")],
];

export const report: readonly LongPair[] = [
  ["catalog_uuid", value.text("r.catalog_uuid")],
  ["producer", value.text("r.producer")],
  ["transaction_uuid", value.text("r.transaction_uuid")],
  ["puppet_version", value.text("r.puppet_version")],
  ["noop", value.boolean("r.noop")],
  ["corrective_change", value.boolean("r.corrective_change")],
  ["logs", { column: "r.logs" }],
  ["report_format", value.number("r.report_format")],
  ["start_time", value.time("r.start_time")],
  ["producer_timestamp", value.time("r.producer_timestamp")],
  ["type", value.text("r.type")],
  ["cached_catalog_status", value.text("r.cached_catalog_status")],
  ["end_time", value.time("r.end_time")],
  ["status", value.text("r.status")],
  ["configuration_version", value.text("r.configuration_version")],
  ["environment", value.text("r.environment")],
  ["code_id", value.text("r.code_id")],
  // As sent. PuppetDB can only make them from events, so it loses resources without events.
  ["resources", { column: "r.resources" }],
  ["noop_pending", value.boolean("r.noop_pending")],
  ["certname", value.text("n.certname")],
  ["metrics", { column: "r.metrics" }],
  ["job_id", value.text("r.job_id")],
];

export const facts: readonly Pair[] = [
  ["certname", value.text("n.certname")],
  ["producer_timestamp", value.time("n.facts_producer_timestamp")],
  ["producer", value.text("n.facts_producer")],
  ["environment", value.text("n.facts_environment")],
  ["values", bracketed("f.lines", "{}")],
  // PuppetDB omits it from its exports, but imports it.
  ["package_inventory", bracketed("p.lines", "[]"), "p.lines"],
];

export const inputs: readonly Pair[] = [
  ["certname", value.text("n.certname")],
  ["producer_timestamp", value.time("n.inputs_producer_timestamp")],
  ["catalog_uuid", value.text("n.inputs_uuid")],
  ["inputs", bracketed("i.lines", "[]")],
];
