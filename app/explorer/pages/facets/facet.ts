import type { ComponentChildren } from "preact";
import { factTitle } from "../pql/fact-path.ts";
import type { FilterValue } from "./filters.ts";

/** A facet: the commonest values of a field, each with how often it occurs. */
export interface Facet {
  /** A field of the entity, `state` of nodes, or a fact: `facts.os.name`. */
  readonly field: string;
  readonly label: string;
  /** How a value is shown; default: its text. */
  readonly show?: (value: FilterValue) => ComponentChildren;
  /** Values in this order come first, instead of the commonest ones. */
  readonly order?: readonly FilterValue[];
}

/** The title of a field's facet, in a list that may not have it: facts without `facts.`. */
export function facetLabel(field: string, facets: readonly Facet[]): string {
  return facets.find((facet) => facet.field === field)?.label ?? factTitle(field) ?? field;
}

export interface FacetValue {
  readonly value: FilterValue;
  readonly count: number;
}

/** The rows that facets are counted in. */
export interface FacetedRows {
  readonly entity: string;
  /** All conditions but the filters of the facets. */
  readonly where: string | undefined;
  /** Counts different values of this field instead of rows. */
  readonly per?: string;
}
