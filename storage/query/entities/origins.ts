import { certnameRelationships, type Entity, field, nodeLookup, required } from "./entity.ts";
import { alias, sql, stored } from "./sql.ts";

const o = alias("o");

/** One row per node of each server that this one follows, as that server listed it when it was last copied. */
export const origins: Entity = {
  name: "origins",
  alias: "origins",
  from: {
    rows: sql`(SELECT *, row_number() OVER (
      PARTITION BY node_id ORDER BY greatest(facts_produced, catalog_produced) DESC NULLS LAST, origin
    ) = 1 AS is_current FROM ${stored("origin_nodes")})`,
    alias: "o",
  },
  isView: true,
  joins: [nodeLookup(o("node_id"))],
  unique: ["name", "certname"],
  fields: {
    name: required(field.string(o("origin"))),
    certname: field.certname(o("node_id")),
    is_current: required(field.boolean(o("is_current"))),
    facts_timestamp: field.timestamp(o("facts_timestamp")),
    catalog_timestamp: field.timestamp(o("catalog_timestamp")),
    latest_report_hash: field.string(o("report_hash")),
    deactivated: field.timestamp(o("deactivated")),
    expired: field.timestamp(o("expired")),
  },
  relationships: certnameRelationships(),
  ofNodes: true,
};
