import { outcomeKeys, outcomeTest } from "../../states/node-state.ts";
import type { Entity } from "../entities/index.ts";
import type { CaseField } from "../facets/field.ts";
import { readEquality } from "../operators.ts";

/** The outcome of a run, as a field of `reports`. */
export function reportOutcomes(entity: Entity): CaseField {
  const cases = outcomeKeys.map((name) => {
    const test = outcomeTest(name);
    if (test === undefined) return { name };
    const field = entity.fields[test.field];
    if (field === undefined) throw new Error(`${entity.name} have no ${test.field}`);
    return { name, when: readEquality({ name: test.field, field }, test.value) };
  });
  return { kind: "cases", name: "status", cases };
}
