import type { FacetValue } from "#storage/query/facets/answer.ts";
import { valueText } from "../value/text.ts";

/** A class with its nodes, and the events of its resources in the latest runs. */
export interface ClassRow {
  readonly name: string;
  /** Nodes whose catalog has the class. */
  readonly nodes: number;
  /** Nodes on which a resource of it failed. */
  readonly failing: number;
  readonly failure: number;
  readonly success: number;
  readonly noop: number;
  readonly skipped: number;
}

/** Events of a class by status. */
export interface ClassEvents {
  readonly containing_class: string | null;
  readonly status: string;
  readonly count: number;
}

export interface ClassInput {
  /** Classes with the number of nodes, the commonest first. */
  readonly classes: readonly FacetValue[];
  readonly failing: readonly FacetValue[];
  readonly events: readonly ClassEvents[];
}

/** One row a class, in the order of `classes`. */
export function classRows({ classes, failing, events }: ClassInput): readonly ClassRow[] {
  const failures = new Map(failing.map(({ value, count }) => [valueText(value), count]));
  const counts = new Map<string, Map<string, number>>();
  for (const { containing_class: name, status, count } of events) {
    if (name === null) continue;
    const own = counts.get(name) ?? new Map<string, number>();
    counts.set(name, own.set(status, count));
  }
  return classes.map(({ value, count: nodes }) => {
    const name = valueText(value);
    const own = counts.get(name);
    const of = (status: string): number => own?.get(status) ?? 0;
    return {
      name,
      nodes,
      failing: failures.get(name) ?? 0,
      failure: of("failure"),
      success: of("success"),
      noop: of("noop"),
      skipped: of("skipped"),
    };
  });
}
