import type { Entity } from "../entities/index.ts";
import type { CaseField } from "../facets/field.ts";
import { readEquality } from "../operators.ts";
import type { Condition } from "../tree.ts";

/** What became of a run; a hidden failure is one that used its cached catalog because there was no new one. */
export function reportOutcomes(entity: Entity): CaseField {
  return {
    kind: "cases",
    name: "status",
    cases: [
      { name: "failed", when: isEqual(entity, "status", "failed") },
      { name: "hidden", when: isEqual(entity, "cached_catalog_status", "on_failure") },
      { name: "changed", when: isEqual(entity, "status", "changed") },
      { name: "unchanged" },
    ],
  };
}

function isEqual(entity: Entity, name: string, value: string): Condition {
  const field = entity.fields[name];
  if (field === undefined) throw new Error(`${entity.name} have no ${name}`);
  return readEquality({ name, field }, value);
}
