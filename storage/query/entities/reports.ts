import {
  certnameRelationships,
  type Entity,
  type Field,
  field,
  type Join,
  long,
  nodeJoin,
  relate,
  required,
  tableRows,
} from "./entity.ts";
import { type Elements, expandedColumn, expandedList } from "./expansion.ts";
import { alias, sql, type SqlColumn, type SqlExpression, stored, written } from "./sql.ts";
import { json, jsonOrNull, plainOrNull } from "./written.ts";
import { duckdb } from "../dialect/duckdb.ts";

const e = alias("e");
const n = alias("n");
const r = alias("r");

const environment = relate("environment", "name");

/**
 * The time as PuppetDB's database formats it, which only the events inside a report have (`reference/query.md §10`).
 */
const databaseTime = written((time) => duckdb.times.withZone(time), "a.timestamp");

const eventsOfReport: Elements = {
  from: sql`${stored("events")} a`,
  owner: "a.report_id",
  of: r("id"),
  element: [
    sql`'{"status":', ${json("a.status")}, ',"timestamp":"', ${databaseTime},
    '","resource_type":', ${json("a.resource_type")}, ',"resource_title":', ${json("a.resource_title")},
    ',"property":', ${jsonOrNull("a.property")}, ',"name":', ${jsonOrNull("a.name")}, ',"new_value":'`,
    { long: "coalesce(a.new_value, 'null')" },
    `',"old_value":'`,
    { long: "coalesce(a.old_value, 'null')" },
    sql`',"corrective_change":', ${plainOrNull("a.corrective_change")}, ',"message":'`,
    { long: jsonOrNull("a.message") },
    sql`',"file":', ${jsonOrNull("a.file")}, ',"line":', ${plainOrNull("a.line")},
    ',"containment_path":', ${jsonOrNull("a.containment_path")}, ',"containing_class":', ${jsonOrNull("a.containing_class")}, '}'`,
  ],
  order: "a.position",
};

const ownReport = { from: sql`${stored("reports")} a`, owner: "a.id", of: r("id") };

function hrefOf(part: "metrics" | "logs" | "events" | "resources"): SqlExpression {
  return sql`'"/pdb/query/v4/reports/', ${r("hash")}, '/${part}"'`;
}

function documentOf(part: "metrics" | "logs" | "resources"): Field {
  return expandedColumn(r(part), ownReport, { href: hrefOf(part), long: "reports" });
}

/** These two are conditions, because the engine can join by a condition. */
const isLatest: Field = {
  type: "boolean",
  sql: sql`(${r("id")} IS NOT DISTINCT FROM ${n("report_id")})`,
  projectable: false,
  truthy: true,
  isCondition: true,
};
const isOfLatest: Field = {
  ...isLatest,
  sql: sql`(${e("report_id")} IN (SELECT report_id FROM ${stored("nodes", "report_id")} WHERE report_id IS NOT NULL))`,
};

const micros = (time: SqlColumn): SqlExpression => written((of) => duckdb.times.micros(of), time);

/** Every stored report, the latest and the historical ones. */
export const reports: Entity = {
  name: "reports",
  alias: "reports",
  from: tableRows("reports", "r"),
  joins: [nodeJoin(r("node_id"))],
  // Without spacers, as for events.
  always: sql`${r("id")} > 0`,
  order: ["hash"],
  fields: {
    hash: field.string(r("hash")),
    certname: field.certname(r("node_id")),
    puppet_version: field.string(r("puppet_version")),
    report_format: field.numeric(r("report_format")),
    configuration_version: field.string(r("configuration_version")),
    start_time: field.timestamp(r("start_time")),
    end_time: field.timestamp(r("end_time")),
    producer_timestamp: field.timestamp(r("producer_timestamp")),
    receive_time: field.timestamp(r("receive_time")),
    transaction_uuid: field.string(r("transaction_uuid")),
    catalog_uuid: field.string(r("catalog_uuid")),
    code_id: field.string(r("code_id")),
    job_id: field.string(r("job_id")),
    cached_catalog_status: field.string(r("cached_catalog_status")),
    producer: field.string(r("producer")),
    environment: field.string(r("environment")),
    status: field.string(r("status")),
    type: field.string(r("type")),
    noop: field.boolean(r("noop")),
    noop_pending: field.boolean(r("noop_pending")),
    corrective_change: field.boolean(r("corrective_change")),
    "latest_report?": isLatest,
    metrics: documentOf("metrics"),
    logs: documentOf("logs"),
    resource_events: expandedList(eventsOfReport, { href: hrefOf("events"), long: "events" }),
    // A field of Puppet Enterprise: returned only where a query names it.
    resources: { ...documentOf("resources"), byDefault: false },
    // Seconds.
    duration: {
      ...field.numeric(sql`((${micros(r("end_time"))} - ${micros(r("start_time"))}) / 1000000)`),
      isUnlisted: true,
    },
  },
  relationships: certnameRelationships({
    environments: environment,
    producers: relate("producer", "name"),
    events: relate("hash", "report"),
  }),
  ofNodes: true,
  agentOnly: true,
};

const reportJoin: Join = { table: "reports", alias: "r", id: e("report_id") };

/** Every resource event of every stored report. */
export const events: Entity = {
  name: "events",
  alias: "events",
  from: tableRows("events", "e"),
  joins: [reportJoin, nodeJoin(r("node_id"))],
  always: sql`${e("report_id")} > 0`,
  order: ["report", "resource_type", "resource_title", "property", "timestamp", "name", "status", "message"],
  fields: {
    certname: field.certname(r("node_id")),
    configuration_version: field.string(r("configuration_version")),
    report: field.string(r("hash")),
    status: required(field.string(e("status"))),
    timestamp: required(field.timestamp(e("timestamp"))),
    run_start_time: field.timestamp(r("start_time")),
    run_end_time: field.timestamp(r("end_time")),
    report_receive_time: field.timestamp(r("receive_time")),
    resource_type: required(field.string(e("resource_type"))),
    resource_title: required(field.string(e("resource_title"))),
    property: field.string(e("property")),
    name: field.string(e("name")),
    new_value: long("events", field.serialized(e("new_value"))),
    old_value: long("events", field.serialized(e("old_value"))),
    message: long("events", field.string(e("message"))),
    file: field.string(e("file")),
    line: field.numeric(e("line")),
    containment_path: field.array(e("containment_path")),
    containing_class: field.string(e("containing_class")),
    environment: field.string(r("environment")),
    corrective_change: field.boolean(e("corrective_change")),
    "latest_report?": isOfLatest,
  },
  relationships: certnameRelationships({ environments: environment, reports: relate("report", "hash") }),
  ofNodes: true,
};
