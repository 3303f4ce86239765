import type { ComponentChildren } from "preact";
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

/** The response of `/explorer/api/v1/facets`. */
export interface FacetsAnswer {
  readonly revision: number;
  /** Rows with all filters. */
  readonly total: number;
  readonly facets: readonly FacetCounts[];
}

export interface FacetCounts {
  readonly fields: readonly string[];
  /** Different values. */
  readonly distinct: number;
  /** Rows without value. */
  readonly missing: number;
  /** Rows with values that are not listed. */
  readonly others: number;
  readonly values: readonly FacetValue[];
}

export interface FacetValue {
  readonly value: FilterValue;
  readonly count: number;
}
