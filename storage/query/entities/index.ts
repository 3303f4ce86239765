import { catalogInputContents, catalogInputs, catalogs, edges, resources } from "./catalogs.ts";
import { type Entity, field } from "./entity.ts";
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
import { events, reports } from "./reports.ts";

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
  ].map((entity) => [entity.name, entity]),
);

/** A node that is not active, seen by the peer's own subqueries; `always` is completed by the compiler's clock. */
function certnames(name: string, always: string): Entity {
  return {
    name,
    alias: name,
    from: "nodes n",
    joins: [],
    always,
    fields: { certname: field.certname("n.id") },
    relationships: {},
    ofNodes: true,
  };
}

/** Relations that exist for `in … extract … select_X` alone (`reference/entities.md`, "Subquery-only relations"). */
const selectOnly: readonly Entity[] = [
  certnames("not_active_nodes", "(n.deactivated IS NOT NULL OR n.expired IS NOT NULL)"),
  certnames("inactive_nodes", "(n.deactivated > $purged OR n.expired > $purged)"),
  {
    name: "latest_report",
    alias: "latest_report",
    from: "nodes n",
    joins: [],
    always: "n.report_id IS NOT NULL",
    fields: { latest_report_hash: field.string("n.report_hash") },
    relationships: {},
    ofNodes: true,
  },
  {
    name: "latest_report_id",
    alias: "latest_report_id",
    from: "nodes n",
    joins: [],
    always: "n.report_id IS NOT NULL",
    fields: { latest_report_id: field.numeric("n.report_id") },
    relationships: {},
    ofNodes: true,
  },
  {
    name: "params",
    alias: "params",
    from: "resource_parameters rp",
    joins: [{ alias: "r", sql: "JOIN resources r ON r.id = rp.resource_id" }],
    fields: {
      res_param_resource: field.string("r.hash"),
      res_param_name: field.string("rp.name"),
      res_param_value: field.string("rp.value"),
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
 * What messages show for an entity that does not exist: the peer checks its fields before it notices, so that
 * `['=', 'a', 'b']` below an unknown entity is "not a queryable object for null".
 */
export const unknownEntity: Entity = {
  name: "null",
  alias: "null",
  from: "",
  joins: [],
  fields: {},
  relationships: {},
  ofNodes: false,
};

export * from "./entity.ts";
export { factsetsWithPackages } from "./facts.ts";
export { nodesWithExpiration } from "./nodes.ts";
