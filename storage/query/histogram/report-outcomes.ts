import type { Entity } from "../entities/index.ts";
import type { CaseField } from "../facets/field.ts";
import { readEquality } from "../operators.ts";
import type { Condition } from "../tree.ts";

/**
 * The outcome of a run: the first that applies, in the order of the states of nodes. A hidden failure is a run that
 * used its cached catalog because there was no new one; a pending one was a simulation that would have changed
 * something.
 */
export function reportOutcomes(entity: Entity): CaseField {
  return {
    kind: "cases",
    name: "status",
    cases: [
      { name: "failed", when: isEqual(entity, "status", "failed") },
      { name: "hidden", when: isEqual(entity, "cached_catalog_status", "on_failure") },
      { name: "corrective", when: isEqual(entity, "corrective_change", true) },
      { name: "changed", when: isEqual(entity, "status", "changed") },
      { name: "pending", when: isEqual(entity, "noop_pending", true) },
      { name: "unchanged" },
    ],
  };
}

function isEqual(entity: Entity, name: string, value: string | boolean): Condition {
  const field = entity.fields[name];
  if (field === undefined) throw new Error(`${entity.name} have no ${name}`);
  return readEquality({ name, field }, value);
}
