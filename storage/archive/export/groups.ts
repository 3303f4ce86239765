import type { Snapshot, SqlValue } from "../../engine/database.ts";
import type { ArchiveCommandName } from "../contents.ts";
import { bracketed, documentSql, linesSql, objectSql, type Pair, value } from "./document.ts";

/** The members of one kind: which rows they are made of, and how. */
export interface Group {
  readonly command: ArchiveCommandName;
  /** The table that has a row per member, and a condition on those that count. */
  readonly from: "nodes" | "reports";
  readonly where: string;
  /** A text per row whose id is in `]$1, $2]`: the parts of the member's name as a JSON list, a line feed, the member. */
  readonly sql: string;
  /** The value of `$3`, where `sql` has one. */
  readonly third?: (at: Snapshot) => Promise<SqlValue>;
}

const picked = "n.id > $1 AND n.id <= $2";

/** SQL of the hash behind the name: SHA-1 of the producer timestamp as JSON text (reference/archive.md §1). */
function hashOf(timestamp: string): string {
  return `sha1(${value.time(timestamp)})`;
}

function memberSql(name: readonly string[], document: readonly Pair[]): string {
  return `concat(to_json([${name.join(", ")}]), '\n', ${documentSql(document)})`;
}

/** Some lines per node, made of a table that has rows of the nodes. */
function linesOf(alias: string, table: string, join: string, element: string, order: string): string {
  return `LEFT JOIN (SELECT a.node_id, ${linesSql(element, order)} AS lines FROM ${table} a ${join}
    WHERE a.node_id > $1 AND a.node_id <= $2 GROUP BY a.node_id) ${alias} ON ${alias}.node_id = n.id`;
}

const expiration: readonly Pair[] = [
  ["certname", value.text("n.certname")],
  ["expire", objectSql([["facts", value.boolean("n.expires_facts")]])],
  ["producer_timestamp", value.time("n.expires_facts_updated")],
];

const resource = objectSql([
  ["type", value.text("b.type")],
  ["title", value.text("b.title")],
  ["tags", value.list("b.tags")],
  ["exported", value.boolean("b.exported")],
  ["file", value.text("b.file"), "b.file"],
  ["line", value.number("b.line"), "b.line"],
  ["parameters", value.json("b.parameters")],
]);

const edge = objectSql([
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

const catalog: readonly Pair[] = [
  ["catalog_uuid", value.text("n.catalog_uuid")],
  ["producer", value.text("n.catalog_producer")],
  ["transaction_uuid", value.text("n.catalog_transaction_uuid")],
  ["producer_timestamp", value.time("n.catalog_producer_timestamp")],
  ["environment", value.text("n.catalog_environment")],
  ["code_id", value.text("n.catalog_code_id")],
  ["version", value.text("n.catalog_version")],
  ["resources", bracketed("r.lines", "[]")],
  ["certname", value.text("n.certname")],
  ["edges", bracketed("e.lines", "[]")],
  ["job_id", value.text("n.catalog_job_id")],
];

const report: readonly Pair[] = [
  ["catalog_uuid", value.text("r.catalog_uuid")],
  ["producer", value.text("r.producer")],
  ["transaction_uuid", value.text("r.transaction_uuid")],
  ["puppet_version", value.text("r.puppet_version")],
  ["noop", value.boolean("r.noop")],
  ["corrective_change", value.boolean("r.corrective_change")],
  ["logs", value.json("r.logs")],
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
  // As they were sent. The peer has only events to make them of anew, and loses resources to which nothing happened.
  ["resources", value.json("r.resources")],
  ["noop_pending", value.boolean("r.noop_pending")],
  ["certname", value.text("n.certname")],
  ["metrics", value.json("r.metrics")],
  ["job_id", value.text("r.job_id")],
];

const facts: readonly Pair[] = [
  ["certname", value.text("n.certname")],
  ["producer_timestamp", value.time("n.facts_producer_timestamp")],
  ["producer", value.text("n.facts_producer")],
  ["environment", value.text("n.facts_environment")],
  ["values", bracketed("f.lines", "{}")],
  // The peer leaves it out of its exports and takes it in from those of others.
  ["package_inventory", bracketed("p.lines", "[]"), "p.lines"],
];

const inputs: readonly Pair[] = [
  ["certname", value.text("n.certname")],
  ["producer_timestamp", value.time("n.inputs_producer_timestamp")],
  ["catalog_uuid", value.text("n.inputs_uuid")],
  ["inputs", bracketed("i.lines", "[]")],
];

/** The contents of an export in its order: settings that keep facts from expiring come before what they protect. */
export const GROUPS: readonly Group[] = [
  {
    command: "configure expiration",
    from: "nodes",
    where: "n.expires_facts_updated IS NOT NULL",
    sql: `SELECT ${memberSql(["n.certname", hashOf("n.expires_facts_updated")], expiration)} FROM nodes n
      WHERE n.expires_facts_updated IS NOT NULL AND ${picked} ORDER BY n.id`,
  },
  {
    command: "replace catalog",
    from: "nodes",
    where: "n.catalog_hash IS NOT NULL",
    sql: `SELECT ${memberSql(["n.certname", hashOf("n.catalog_producer_timestamp")], catalog)} FROM nodes n
      ${linesOf("r", "catalog_resources", "JOIN resources b ON b.id = a.resource_id", resource, "b.type, b.title")}
      ${linesOf(
        "e",
        "catalog_edges",
        "JOIN edges b ON b.id = a.edge_id",
        edge,
        "b.source_type, b.source_title, b.target_type, b.target_title, b.relationship",
      )}
      WHERE n.catalog_hash IS NOT NULL AND ${picked} ORDER BY n.id`,
  },
  {
    command: "store report",
    from: "reports",
    where: "true",
    sql: `SELECT ${memberSql(
      [
        "n.certname",
        `CASE WHEN r.id IN (SELECT unnest($3::BIGINT[])) THEN r.hash ELSE ${hashOf("r.producer_timestamp")} END`,
      ],
      report,
    )} FROM reports r JOIN nodes n ON n.id = r.node_id WHERE r.id > $1 AND r.id <= $2 ORDER BY r.id`,
    third: repeatedReports,
  },
  {
    command: "replace facts",
    from: "nodes",
    where: "n.facts_hash IS NOT NULL",
    sql: `SELECT ${memberSql(["n.certname"], facts)} FROM nodes n
      ${linesOf("f", "facts", "", `concat(${value.text("a.name")}, ' : ', a.value)`, "a.name")}
      ${linesOf(
        "p",
        "node_packages",
        "JOIN packages b ON b.id = a.package_id",
        value.list("[b.name, b.version, b.provider]"),
        "b.name, b.version, b.provider",
      )}
      WHERE n.facts_hash IS NOT NULL AND ${picked} ORDER BY n.id`,
  },
  {
    command: "replace catalog inputs",
    from: "nodes",
    where: "n.inputs_producer_timestamp IS NOT NULL",
    sql: `SELECT ${memberSql(["n.certname", hashOf("n.inputs_producer_timestamp")], inputs)} FROM nodes n
      ${linesOf("i", "catalog_inputs", "", value.list("[a.type, a.name]"), "a.type, a.name")}
      WHERE n.inputs_producer_timestamp IS NOT NULL AND ${picked} ORDER BY n.id`,
  },
];

/**
 * Reports of a node with the same producer timestamp as an earlier one. Their names have a hash of their own, the
 * report's: in an archive two members may have one name, in the folder it is unpacked to they may not.
 */
async function repeatedReports(at: Snapshot): Promise<SqlValue> {
  const rows = await at.rows<{ id: bigint }>(
    `SELECT id FROM reports
     QUALIFY row_number() OVER (PARTITION BY node_id, epoch_ms(producer_timestamp) ORDER BY id) > 1`,
  );
  return `[${rows.map(({ id }) => id).join(",")}]`;
}
