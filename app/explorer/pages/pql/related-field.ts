/** Entities with one row for each node, whose fields are shown beside the node's own. */
export const relatedEntities = ["catalogs", "factsets"] as const;

/** The servers that have a node, where servers are followed. */
export const originField = "origins.name";

/** A field of the row that another entity has of a node. */
export interface RelatedField {
  readonly entity: (typeof relatedEntities)[number];
  readonly field: string;
}

/** Reads `catalogs.producer`; undefined for other fields. */
export function relatedField(name: string): RelatedField | undefined {
  const [, before, field = ""] = /^(\w+)\.(\w+)$/.exec(name) ?? [];
  const entity = relatedEntities.find((one) => one === before);
  return entity === undefined ? undefined : { entity, field };
}

/** Where a field is that an entity itself has not: `facts.os.name` in `inventory`, `catalogs.producer` in `catalogs`. */
export function fieldElsewhere(
  field: string,
  entity: string,
): { readonly entity: string; readonly field: string } | undefined {
  // `facts.os.name` and `trusted.extensions.pp_role` are fields of `inventory`.
  if (/^(?:facts|trusted)\./.test(field)) return entity === "inventory" ? undefined : { entity: "inventory", field };
  if (entity !== "nodes") return undefined;
  return field === originField ? { entity: "origins", field: "name" } : relatedField(field);
}
