import type { JsonObject } from "#storage/json.ts";
import { type Entity, entities, isProjectable, isQueryable, type Field } from "#storage/query/entities/index.ts";
import { unknownName } from "../unknown-name.ts";

/** The entities with their fields. */
export function entityRows(): JsonObject[] {
  return Object.values(entities).map(({ name, fields, relationships }) => ({
    entity: name,
    fields: Object.keys(fields).join(", "),
    related: Object.keys(relationships).length,
  }));
}

/** The fields of one entity. */
export function fieldRows(entity: Entity): JsonObject[] {
  return Object.entries(entity.fields).map(([name, field]) => ({ field: name, type: field.type, use: useOf(field) }));
}

/** The relationships of an entity. */
export function relationRows({ relationships }: Entity): JsonObject[] {
  return Object.entries(relationships).map(([name, { local, foreign }]) => ({
    related: name,
    by: `${local.join(", ")} = ${foreign.join(", ")}`,
  }));
}

/** @throws UsageError naming the closest one */
export function entityCalled(name: string): Entity {
  const found = Object.hasOwn(entities, name) ? entities[name] : undefined;
  if (found !== undefined) return found;
  throw unknownName("", "entity", name, Object.keys(entities), "\\d lists them");
}

function useOf(field: Field): string {
  if (!isQueryable(field)) return "output";
  return isProjectable(field) ? "output and conditions" : "conditions";
}
