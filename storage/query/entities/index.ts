import { catalogInputContents, catalogInputs, catalogs, edges, resources } from "./catalogs.ts";
import { catalogChanges, factChanges, packageChanges, resourceChanges } from "./changes.ts";
import { type Entity, field, tableRows } from "./entity.ts";
import {
  factContents,
  factNames,
  factPaths,
  facts,
  factsets,
  inventory,
  packageInventory,
  packages,
  factsetsWithPackages,
} from "./facts.ts";
import { environments, nodes, nodesWithExpiration, producers } from "./nodes.ts";
import { origins } from "./origins.ts";
import { events, reports } from "./reports.ts";
import { alias, isNotNull, purgeHorizon, sql, type SqlExpression } from "./sql.ts";

/** Every entity that `from` can name. */
export const entities: Readonly<Record<string, Entity>> = Object.fromEntries(
  [
    nodes,
    environments,
    producers,
    facts,
    factNames,
    factPaths,
    factContents,
    factsets,
    inventory,
    catalogs,
    catalogInputs,
    catalogInputContents,
    resources,
    edges,
    reports,
    events,
    packages,
    packageInventory,
    nodesWithExpiration,
    factsetsWithPackages,
    factChanges,
    resourceChanges,
    packageChanges,
    catalogChanges,
    origins,
  ].map((entity) => [entity.name, entity]),
);

const n = alias("n");
const r = alias("r");
const rp = alias("rp");

/** Nodes that are not active, as PuppetDB's own subqueries select them. */
function certnames(name: string, always: SqlExpression): Entity {
  return {
    name,
    alias: name,
    from: tableRows("nodes", "n"),
    joins: [],
    always,
    fields: { certname: field.certname(n("id")) },
    relationships: {},
    ofNodes: true,
  };
}

/** Relations that exist only for `in … extract … select_X` (`reference/entities.md`, "Subquery-only relations"). */
const selectOnly: readonly Entity[] = [
  certnames("not_active_nodes", sql`(${isNotNull(n("deactivated"))} OR ${isNotNull(n("expired"))})`),
  certnames("inactive_nodes", sql`(${n("deactivated")} > ${purgeHorizon} OR ${n("expired")} > ${purgeHorizon})`),
  {
    name: "latest_report",
    alias: "latest_report",
    from: tableRows("nodes", "n"),
    joins: [],
    always: isNotNull(n("report_id")),
    fields: { latest_report_hash: field.string(n("report_hash")) },
    relationships: {},
    ofNodes: true,
  },
  {
    name: "latest_report_id",
    alias: "latest_report_id",
    from: tableRows("nodes", "n"),
    joins: [],
    always: isNotNull(n("report_id")),
    fields: { latest_report_id: field.numeric(n("report_id")) },
    relationships: {},
    ofNodes: true,
  },
  {
    name: "params",
    alias: "params",
    from: tableRows("resource_parameters", "rp"),
    joins: [{ table: "resources", alias: "r", id: rp("resource_id") }],
    always: sql`${rp("resource_id")} > 0`,
    fields: {
      res_param_resource: field.string(r("hash")),
      res_param_name: field.string(rp("name")),
      res_param_value: field.string(rp("value")),
    },
    relationships: {},
    ofNodes: false,
  },
];

/** Entities by the name after `select_`; fact_names has none. */
export const selectable: ReadonlyMap<string, Entity> = new Map(
  [...Object.values(entities).filter((entity) => entity !== factNames), ...selectOnly].map((entity) => [
    entity.name,
    entity,
  ]),
);

/**
 * The entity that messages show for an unknown one: PuppetDB checks the fields first, so that `['=', 'a', 'b']` below
 * an unknown entity is "not a queryable object for null".
 */
export const unknownEntity: Entity = {
  name: "null",
  alias: "null",
  from: tableRows("", ""),
  joins: [],
  fields: {},
  relationships: {},
  ofNodes: false,
};

export * from "./entity.ts";
export * from "./sql.ts";
export * from "./written.ts";
export { reports } from "./reports.ts";
export { elementsSql, type Expansion } from "./expansion.ts";
export { factsetsWithPackages } from "./facts.ts";
export { nodesWithExpiration } from "./nodes.ts";
