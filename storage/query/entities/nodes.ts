import { certnameRelationships, type Entity, field, tableRows } from "./entity.ts";
import { reportDueSql } from "../../states/report-interval.ts";
import { alias, sql, written } from "./sql.ts";

const d = alias("d");
const n = alias("n");

/** One row per certname that has sent any data. */
export const nodes: Entity = {
  name: "nodes",
  alias: "nodes",
  from: tableRows("nodes", "n"),
  joins: [],
  unique: ["certname"],
  fields: {
    certname: field.certname(n("id")),
    deactivated: { type: "timestamp", sql: n("deactivated"), onlyNull: true },
    expired: field.timestamp(n("expired")),
    facts_environment: field.string(n("facts_environment")),
    catalog_environment: field.string(n("catalog_environment")),
    report_environment: field.string(n("report_environment")),
    facts_timestamp: field.timestamp(n("facts_timestamp")),
    catalog_timestamp: field.timestamp(n("catalog_timestamp")),
    report_timestamp: field.timestamp(n("report_end_time")),
    latest_report_hash: field.string(n("report_hash")),
    latest_report_status: field.string(n("report_status")),
    latest_report_job_id: field.string(n("report_job_id")),
    latest_report_noop: field.boolean(n("report_noop")),
    latest_report_noop_pending: field.boolean(n("report_noop_pending")),
    latest_report_corrective_change: field.boolean(n("report_corrective_change")),
    cached_catalog_status: field.string(n("cached_catalog_status")),
    report_due: {
      ...field.timestamp(written(reportDueSql, n("report_end_time"), n("report_interval"))),
      isUnlisted: true,
    },
  },
  relationships: certnameRelationships(),
  ofNodes: true,
};

/** `nodes` as `include_facts_expiration=true` shows it. */
export const nodesWithExpiration: Entity = {
  ...nodes,
  name: "nodes_with_fact_expiration",
  fields: {
    ...nodes.fields,
    expires_facts: field.boolean(sql`coalesce(${n("expires_facts")}, true)`),
    expires_facts_updated: field.timestamp(n("expires_facts_updated")),
  },
};

function names(name: "environments" | "producers", related: readonly string[], column: string): Entity {
  return {
    name,
    alias: name,
    from: tableRows(name, "d"),
    joins: [],
    order: ["name"],
    fields: { name: field.string(d("name")) },
    relationships: Object.fromEntries(related.map((other) => [other, { local: ["name"], foreign: [column] }])),
    ofNodes: false,
  };
}

export const environments: Entity = names(
  "environments",
  ["inventory", "factsets", "catalogs", "reports", "facts", "fact_contents", "events", "resources"],
  "environment",
);

export const producers: Entity = names("producers", ["factsets", "catalogs", "reports"], "producer");
