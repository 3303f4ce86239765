import { type Entity, entities, isProjectable, isQueryable, type Field } from "#storage/query/entities/index.ts";
import { nearestWords } from "#storage/nearest-words.ts";
import { UsageError } from "../errors.ts";

/** The entities with their fields. */
export function entityRows(): string[] {
  return Object.values(entities).map(({ name, fields, relationships }) =>
    JSON.stringify({
      entity: name,
      fields: Object.keys(fields).join(", "),
      related: Object.keys(relationships).length,
    }),
  );
}

/** The fields of one entity. */
export function fieldRows(entity: Entity): string[] {
  return Object.entries(entity.fields).map(([name, field]) =>
    JSON.stringify({ field: name, type: field.type, use: useOf(field) }),
  );
}

/** The relationships of an entity. */
export function relationRows({ relationships }: Entity): string[] {
  return Object.entries(relationships).map(([name, { local, foreign }]) =>
    JSON.stringify({ related: name, by: `${local.join(", ")} = ${foreign.join(", ")}` }),
  );
}

/** @throws UsageError naming the closest one */
export function entityCalled(name: string): Entity {
  const found = Object.hasOwn(entities, name) ? entities[name] : undefined;
  if (found !== undefined) return found;
  const near = nearestWords(name, Object.keys(entities));
  const advice = near.length === 0 ? "\\d lists them" : `did you mean ${near.join(" or ")}?`;
  throw new UsageError(`unknown entity ${JSON.stringify(name)}; ${advice}`);
}

function useOf(field: Field): string {
  if (!isQueryable(field)) return "output";
  return isProjectable(field) ? "output and conditions" : "conditions";
}
