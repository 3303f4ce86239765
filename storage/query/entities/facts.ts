import { jsonbText } from "../../jsonb/text.ts";
import {
  certnameRelationships,
  type DocumentParts,
  type Entity,
  type Field,
  field,
  nodeJoin,
  relate,
  required,
  tableRows,
} from "./entity.ts";
import { array, type Elements, expandedList, listSql } from "./expansion.ts";
import { alias, isNotNull, sql, stored, written } from "./sql.ts";
import { anyOf, json, jsonText } from "./written.ts";
import { duckdb } from "../dialect/duckdb.ts";

const f = alias("f");
const k = alias("k");
const l = alias("l");
const n = alias("n");
const nk = alias("nk");
const p = alias("p");

const environment = relate("environment", "name");
const producer = relate("producer", "name");
const oneFact = relate(["certname", "name"], ["certname", "name"]);

/** One row per node and top-level fact. */
export const facts: Entity = {
  name: "facts",
  alias: "facts",
  from: tableRows("facts", "f"),
  isView: true,
  joins: [nodeJoin(f("node_id"))],
  unique: ["certname", "name"],
  fields: {
    certname: field.certname(f("node_id")),
    environment: field.string(n("facts_environment")),
    name: required(field.string(f("name"))),
    value: required({ type: "json", sql: f("value"), sortKey: f("sort_key"), long: "long_facts" }),
  },
  relationships: certnameRelationships({ environments: environment, fact_contents: oneFact }),
  ofNodes: true,
};

/** One row per scalar in a node's facts. */
export const factContents: Entity = {
  name: "fact_contents",
  alias: "fact_nodes",
  from: tableRows("fact_leaves", "l"),
  joins: [{ table: "fact_paths", alias: "p", id: l("path_id") }, nodeJoin(l("node_id"))],
  // Without the empty rows that separate long values.
  always: sql`${l("path_id")} >= 0`,
  unique: ["certname", "path"],
  fields: {
    certname: field.certname(l("node_id")),
    environment: field.string(n("facts_environment")),
    name: required(field.string(p("name"))),
    path: { type: "path", sql: p("path_json"), sortKey: p("elements"), elements: p("elements"), kinds: p("kinds") },
    value: required({ type: "json", sql: l("value"), sortKey: l("sort_key"), long: "steady_leaves" }),
  },
  listed: ["certname", "environment", "path", "name", "value"],
  relationships: certnameRelationships({ environments: environment, facts: oneFact }),
  ofNodes: true,
};

/**
 * Only fact_paths returns an empty key as two quotes, as in the encoded path (`reference/entities.md §3`). Inside of a key a
 * quote follows a backslash.
 */
const emptyKeysQuoted = sql`replace(replace(${p("path_json")}, '[""', '["\\"\\""'), ',""', ',"\\"\\""')`;

/** Every path that facts have had since the last garbage collection. */
export const factPaths: Entity = {
  name: "fact_paths",
  alias: "fact_paths",
  from: tableRows("fact_paths", "p"),
  joins: [],
  always: sql`${p("type")} <> 'json'`,
  order: ["path", "type"],
  fields: {
    type: field.string(p("type")),
    path: { type: "encoded-path", sql: p("path"), json: emptyKeysQuoted, elements: p("elements"), kinds: p("kinds") },
    name: required(field.string(p("name"))),
    depth: { type: "numeric", sql: p("depth"), projectable: false },
  },
  relationships: { facts: relate("name", "name"), fact_contents: relate("path", "path") },
  ofNodes: false,
};

/** Names of top-level facts, structured ones included. */
export const factNames: Entity = {
  name: "fact_names",
  alias: "fact_names",
  from: { rows: sql`(SELECT DISTINCT name FROM ${stored("fact_paths")})`, alias: "p" },
  joins: [],
  order: ["name"],
  fields: { name: required(field.string(p("name"))) },
  relationships: {},
  ofNodes: false,
  bare: true,
};

const factsOfNode = { from: sql`${stored("facts")} a`, owner: "a.node_id", of: n("id"), order: "a.name" };

/** One row per node with facts. */
export const factsets: Entity = {
  name: "factsets",
  alias: "factsets",
  from: tableRows("nodes", "n"),
  joins: [],
  unique: ["certname"],
  always: isNotNull(n("facts_timestamp")),
  fields: {
    certname: field.certname(n("id")),
    environment: field.string(n("facts_environment")),
    producer: field.string(n("facts_producer")),
    hash: field.string(n("facts_hash")),
    timestamp: field.timestamp(n("facts_timestamp")),
    producer_timestamp: field.timestamp(n("facts_producer_timestamp")),
    facts: {
      ...expandedList(
        { ...factsOfNode, element: [sql`'{"name":', ${json("a.name")}, ',"value":'`, { long: "a.value" }, `'}'`] },
        { href: json(sql`'/pdb/query/v4/factsets/' || ${n("certname")} || '/facts'`), long: "long_facts" },
      ),
      queryable: true,
    },
  },
  listed: ["timestamp", "facts", "certname", "hash", "producer_timestamp", "producer", "environment"],
  relationships: certnameRelationships({ environments: environment, producers: producer }),
  ofNodes: true,
};

const packagesOfNode: Elements = {
  from: sql`${stored("node_packages")} nk JOIN ${stored("packages")} k ON k.id = nk.package_id`,
  owner: "nk.node_id",
  of: n("id"),
  order: "k.name, k.version, k.provider",
  element: [jsonText(written((...of) => duckdb.lists.of(...of), "k.name", "k.version", "k.provider"))],
};

/** `factsets` as `include_package_inventory=true` shows it. */
export const factsetsWithPackages: Entity = {
  ...factsets,
  name: "factsets_with_packages",
  fields: {
    ...factsets.fields,
    package_inventory: {
      ...field.expanded(sql`coalesce(${listSql(packagesOfNode, array)}, '[]')`),
      expansion: { ...packagesOfNode, ...array, none: "[]", before: "" },
    },
  },
};

const allFacts: DocumentParts = {
  table: "facts",
  owner: "node_id",
  name: "name",
  value: "value",
  key: n("id"),
  isOfNodes: true,
  encode: jsonbText,
};

const factMembers: Elements = { ...factsOfNode, element: [sql`${json("a.name")}, ': '`, { long: "a.value" }] };
const object = { open: "{", separator: ", ", close: "}", none: "null" };

const factsDocument: Field = {
  type: "document",
  long: "long_facts",
  sql: listSql(factMembers, object),
  expansion: { ...factMembers, ...object, before: "" },
  parts: allFacts,
};

const trustedDocument: Field = {
  type: "document",
  long: "long_facts",
  sql: sql`(SELECT ${anyOf("a.value")} FROM ${stored("facts")} a WHERE a.node_id = ${n("id")} AND a.name = 'trusted')`,
  parts: { ...allFacts, prefix: ["trusted"] },
};

/** One row per node with facts, the facts as one object. */
export const inventory: Entity = {
  name: "inventory",
  alias: "inventory",
  from: tableRows("nodes", "n"),
  joins: [],
  unique: ["certname"],
  always: isNotNull(n("facts_timestamp")),
  fields: {
    certname: field.certname(n("id")),
    timestamp: field.timestamp(n("facts_timestamp")),
    environment: field.string(n("facts_environment")),
    facts: factsDocument,
    trusted: trustedDocument,
  },
  relationships: certnameRelationships(),
  ofNodes: true,
};

/** Distinct packages of all nodes. */
export const packages: Entity = {
  name: "packages",
  alias: "packages",
  from: tableRows("packages", "k"),
  joins: [],
  order: ["package_name", "version", "provider"],
  fields: {
    package_name: field.string(k("name")),
    version: field.string(k("version")),
    provider: field.string(k("provider")),
  },
  relationships: {},
  ofNodes: false,
};

/** One row per node and package. */
export const packageInventory: Entity = {
  name: "package_inventory",
  alias: "package_inventory",
  from: tableRows("node_packages", "nk"),
  joins: [{ table: "packages", alias: "k", id: nk("package_id") }, nodeJoin(nk("node_id"))],
  order: ["certname", "package_name", "version", "provider"],
  fields: { certname: field.certname(nk("node_id")), ...packages.fields },
  relationships: certnameRelationships(),
  ofNodes: true,
};
