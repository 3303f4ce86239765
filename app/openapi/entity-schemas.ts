import {
  type Entity,
  entities,
  factsetsWithPackages,
  type Field,
  type FieldType,
  isProjectable,
  nodesWithExpiration,
  queryableFields,
} from "#storage/query/entities/index.ts";
import { object } from "./replies.ts";
import type { Schema } from "./types.ts";

/** How a field of each kind looks in an answer. Nearly all of them can be null. */
const kinds: Readonly<Record<FieldType, Schema>> = {
  string: { type: ["string", "null"] },
  boolean: { type: ["boolean", "null"] },
  numeric: { type: ["number", "null"] },
  timestamp: { type: ["string", "null"], format: "date-time" },
  array: { type: ["array", "null"] },
  path: { type: "array", items: { type: ["string", "integer"] } },
  "encoded-path": { type: "array", items: { type: ["string", "integer"] } },
  json: { description: "Any JSON value" },
  document: { type: ["object", "null"] },
  expanded: { type: ["object", "array", "null"], description: "Mostly `{href, data}`" },
};

/** Fields that rows have only if a parameter selects them. */
const wider: Readonly<Record<string, { readonly entity: Entity; readonly parameter: string }>> = {
  nodes: { entity: nodesWithExpiration, parameter: "include_facts_expiration" },
  factsets: { entity: factsetsWithPackages, parameter: "include_package_inventory" },
};

/**
 * The entities that have endpoints or can be queried at the root, without the variants that a parameter makes of them.
 */
const described = Object.values(entities).filter(
  (entity) => !Object.values(wider).some((variant) => variant.entity === entity),
);

/**
 * A schema of the rows of every entity, by its name, from the declarations of its fields. A query with `extract`
 * gets other rows, so no field is required.
 */
export function entitySchemas(): Readonly<Record<string, Schema>> {
  return Object.fromEntries(described.map((entity) => [entity.name, rowSchema(entity)]));
}

function rowSchema(entity: Entity): Schema {
  if (entity.bare === true) return { type: "string" };
  const own = projectable(entity).map(([name, field]): [string, Schema] => [
    name,
    field.byDefault === false
      ? withNote(kinds[field.type], "Only where a query extracts it")
      : { ...kinds[field.type] },
  ]);
  const { entity: wide, parameter } = wider[entity.name] ?? {};
  const more = (wide === undefined ? [] : projectable(wide))
    .filter(([name]) => entity.fields[name] === undefined)
    .map(([name, field]): [string, Schema] => [name, withNote(kinds[field.type], `Only with ${parameter}=true`)]);
  return { ...object(Object.fromEntries([...own, ...more])), "x-queryable": queryableFields(entity) };
}

function projectable(entity: Entity): [string, Field][] {
  return Object.entries(entity.fields).filter(([, field]) => isProjectable(field));
}

function withNote(schema: Schema, description: string): Schema {
  return { ...schema, description };
}
