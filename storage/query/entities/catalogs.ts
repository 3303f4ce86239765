import { canonicalText } from "../../hash/canonical.ts";
import {
  certnameRelationships,
  type Entity,
  field,
  long,
  nodeJoin,
  nodeLookup,
  relate,
  required,
  tableRows,
} from "./entity.ts";
import { array, type Elements, expandedList } from "./expansion.ts";
import { alias, isNotNull, sql, type SqlExpression, stored, written } from "./sql.ts";
import { json, jsonOrNull, jsonText, plainOrNull } from "./written.ts";
import { duckdb } from "../dialect/duckdb.ts";

const ce = alias("ce");
const cr = alias("cr");
const e = alias("e");
const i = alias("i");
const n = alias("n");
const r = alias("r");

const environment = relate("environment", "name");
const producer = relate("producer", "name");

const resourcesOfNode: Elements = {
  from: sql`${stored("catalog_resources")} a JOIN ${stored("resources")} b ON b.id = a.resource_id`,
  owner: "a.node_id",
  of: n("id"),
  element: [
    sql`'{"resource":"', b.hash, '","type":', ${json("b.type")}, ',"title":', ${json("b.title")}, ',"tags":', ${json("b.tags")},
    ',"exported":', b.exported, ',"file":', ${jsonOrNull("b.file")}, ',"line":', ${plainOrNull("b.line")},
    ',"parameters":'`,
    { long: "b.parameters" },
    `'}'`,
  ],
};

const edgesOfNode: Elements = {
  from: sql`${stored("catalog_edges")} a JOIN ${stored("edges")} b ON b.id = a.edge_id`,
  owner: "a.node_id",
  of: n("id"),
  element: [
    sql`'{"source_type":', ${json("b.source_type")}, ',"source_title":', ${json("b.source_title")}, ',"target_type":', ${json("b.target_type")},
    ',"target_title":', ${json("b.target_title")}, ',"relationship":', ${json("b.relationship")}, '}'`,
  ],
};

function hrefOf(part: "resources" | "edges"): SqlExpression {
  return json(sql`'/pdb/query/v4/catalogs/' || ${n("certname")} || '/${part}'`);
}

/** The current catalog of each node. */
export const catalogs: Entity = {
  name: "catalogs",
  alias: "catalogs",
  from: tableRows("nodes", "n"),
  joins: [],
  always: isNotNull(n("catalog_hash")),
  order: ["certname"],
  fields: {
    certname: field.certname(n("id")),
    version: field.string(n("catalog_version")),
    hash: field.string(n("catalog_hash")),
    transaction_uuid: field.string(n("catalog_transaction_uuid")),
    catalog_uuid: field.string(n("catalog_uuid")),
    code_id: field.string(n("catalog_code_id")),
    job_id: field.string(n("catalog_job_id")),
    environment: field.string(n("catalog_environment")),
    producer: field.string(n("catalog_producer")),
    producer_timestamp: field.timestamp(n("catalog_producer_timestamp")),
    resources: expandedList(resourcesOfNode, { href: hrefOf("resources"), long: "resources" }),
    edges: expandedList(edgesOfNode, { href: hrefOf("edges") }),
  },
  relationships: certnameRelationships({ environments: environment, producers: producer }),
  ofNodes: true,
};

/** One row per node and resource of its current catalog. */
export const resources: Entity = {
  name: "resources",
  alias: "resources",
  from: tableRows("catalog_resources", "cr"),
  ids: ["node_id", "resource_id", "type"],
  joins: [{ table: "resources", alias: "r", id: cr("resource_id") }, nodeLookup(cr("node_id"))],
  unique: ["certname", "type", "title"],
  fields: {
    certname: field.certname(cr("node_id")),
    environment: field.string(n("catalog_environment")),
    resource: required(field.string(r("hash"))),
    type: required({ ...field.string(cr("type")), alsoIn: r("type") }),
    title: required(field.string(r("title"))),
    tag: { type: "array", sql: r("tags"), projectable: false, lowerCase: true },
    tags: required(field.array(r("tags"))),
    exported: required(field.boolean(r("exported"))),
    file: field.string(r("file")),
    line: field.numeric(r("line")),
    parameters: {
      type: "document",
      sql: r("parameters"),
      wide: true,
      long: "resources",
      required: true,
      parts: {
        table: "resource_parameters",
        owner: "resource_id",
        name: "name",
        value: "value",
        key: cr("resource_id"),
        encode: (value) => canonicalText(value, "symbols"),
        digest: "digest",
        whole: r("parameters"),
      },
    },
  },
  relationships: {
    catalogs: relate("certname", "certname"),
    nodes: relate("certname", "certname"),
    environments: environment,
  },
  ofNodes: true,
};

/** One row per node and edge of its current catalog. */
export const edges: Entity = {
  name: "edges",
  alias: "edges",
  from: tableRows("catalog_edges", "ce"),
  joins: [{ table: "edges", alias: "e", id: ce("edge_id") }, nodeLookup(ce("node_id"))],
  unique: ["certname", "source_type", "source_title", "target_type", "target_title", "relationship"],
  fields: {
    certname: field.certname(ce("node_id")),
    relationship: field.string(e("relationship")),
    source_type: field.string(e("source_type")),
    source_title: field.string(e("source_title")),
    target_type: field.string(e("target_type")),
    target_title: field.string(e("target_title")),
  },
  listed: ["certname", "relationship", "source_title", "source_type", "target_title", "target_type"],
  relationships: certnameRelationships(),
  ofNodes: true,
};

const pair = written((type, name) => duckdb.lists.of(type, name), "a.type", "a.name");

/** The rows of a node's inputs as one value. */
function ofInputs(value: SqlExpression): SqlExpression {
  return sql`(SELECT ${value} FROM ${stored("catalog_inputs")} a WHERE a.node_id = ${n("id")})`;
}

const inputsOfNode: Elements = {
  from: sql`${stored("catalog_inputs")} a`,
  owner: "a.node_id",
  of: n("id"),
  element: [{ long: jsonText(pair) }],
  order: "a.type, a.name",
};

/** One row per node with catalog inputs. */
export const catalogInputs: Entity = {
  name: "catalog_inputs",
  alias: "catalog_inputs",
  from: tableRows("nodes", "n"),
  joins: [],
  always: isNotNull(n("inputs_producer_timestamp")),
  order: ["certname"],
  fields: {
    certname: field.certname(n("id")),
    producer_timestamp: field.timestamp(n("inputs_producer_timestamp")),
    catalog_uuid: field.string(n("inputs_uuid")),
    // A pair matches when either of its two texts does.
    inputs: {
      type: "array",
      long: "catalog_inputs",
      sql: ofInputs(written((value) => duckdb.aggregates.list(value, "a.type, a.name"), pair)),
      expansion: { ...inputsOfNode, ...array, before: "" },
      elements: ofInputs(
        written(
          (type, name) => duckdb.lists.concatenated(duckdb.aggregates.list(type), duckdb.aggregates.list(name)),
          "a.type",
          "a.name",
        ),
      ),
    },
  },
  relationships: certnameRelationships(),
  ofNodes: true,
};

/** One row per node and catalog input. */
export const catalogInputContents: Entity = {
  name: "catalog_input_contents",
  alias: "catalog_input_contents",
  from: tableRows("catalog_inputs", "i"),
  joins: [nodeJoin(i("node_id"))],
  // Without spacers, which are empty rows between long ones.
  always: sql`${i("node_id")} > 0`,
  order: ["certname", "type", "name"],
  fields: {
    certname: field.certname(i("node_id")),
    producer_timestamp: field.timestamp(n("inputs_producer_timestamp")),
    catalog_uuid: field.string(n("inputs_uuid")),
    type: field.string(i("type")),
    name: long("catalog_inputs", field.string(i("name"))),
  },
  listed: ["certname", "producer_timestamp", "catalog_uuid", "name", "type"],
  relationships: certnameRelationships(),
  ofNodes: true,
};
