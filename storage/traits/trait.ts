import type { Json } from "../json.ts";

/** What sets nodes apart, in the order in which equals are listed. */
export const traitKinds = ["environment", "producer", "class", "package", "fact"] as const;

export type TraitKind = (typeof traitKinds)[number];

/** Something that nodes have in common, or have not. */
export interface Trait {
  readonly kind: TraitKind;
  /** Of a fact its path, of a class its title, of a package its name and provider; empty for a node's one environment and producer. */
  readonly path: readonly (string | number)[];
  /** A fact's value, a package's version, an environment; of a class true. Absent: a node has none. */
  readonly value?: Json;
}

/** A trait that is more or less frequent among the selected nodes than among the others. */
export interface Difference extends Trait {
  /** Selected nodes with it. */
  readonly selected: number;
  /** Other nodes with it. */
  readonly rest: number;
  /** The share of the selected nodes with it, less the share of the others: from -1 to 1. */
  readonly score: number;
}

/** What sets a selection of nodes apart from others. */
export interface Differences {
  /** Selected nodes. */
  readonly selected: number;
  /** Other nodes that they are compared with. */
  readonly rest: number;
  /** Differences, of which some may not be listed. */
  readonly total: number;
  /** The greatest first. */
  readonly differences: readonly Difference[];
}
