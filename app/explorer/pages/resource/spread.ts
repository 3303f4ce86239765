import type { Json, JsonObject } from "#storage/json.ts";
import type { Facet } from "#storage/query/facets/answer.ts";

/** How the values of a parameter are spread over the nodes. */
export interface Spread {
  readonly parameter: string;
  /** Different values, no value counted as none. */
  readonly distinct: number;
  /** The commonest values. */
  readonly values: readonly { readonly value: Json; readonly count: number }[];
  /** Nodes with a value that is not listed. */
  readonly others: number;
  /** Nodes without the parameter. */
  readonly missing: number;
}

/** Parameters by whether all nodes have the same value. */
export interface Spreads {
  readonly same: readonly Spread[];
  /** Those with fewer different values first: they part the nodes into groups. */
  readonly different: readonly Spread[];
}

/** The spreads of parameters, one facet each in the same order. */
export function spreadsOf(parameters: readonly string[], facets: readonly Facet[]): Spreads {
  const all = parameters.flatMap((parameter, index) => {
    const facet = facets[index];
    return facet === undefined || facet.distinct === 0 ? [] : [{ parameter, ...facet }];
  });
  const isSame = ({ distinct, missing }: Spread): boolean => distinct === 1 && missing === 0;
  return {
    same: all.filter(isSame),
    different: all.filter((spread) => !isSame(spread)).sort((one, other) => one.distinct - other.distinct),
  };
}

/** The names of all parameters of some resources, in the order of the alphabet. */
export function parameterNames(
  rows: readonly { readonly parameters: { readonly [name: string]: Json } | null }[],
): string[] {
  return [...new Set(rows.flatMap(({ parameters }) => Object.keys(parameters ?? {})))].sort();
}

/** A resource in the catalog of a node. */
export interface ResourceRow {
  readonly certname: string;
  readonly environment: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly exported: boolean;
  readonly parameters: JsonObject | null;
}

export const resourceColumns = ["certname", "environment", "file", "line", "exported", "parameters"] as const;
