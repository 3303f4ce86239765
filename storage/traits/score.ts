import { compareBytewise } from "../bytewise.ts";
import { stringifyJson } from "../json.ts";
import { type Difference, type Trait, traitKinds } from "./trait.ts";

/** How many nodes were selected, and how many others there are. */
export interface Sizes {
  readonly selected: number;
  readonly rest: number;
}

/** A trait with the number of nodes that have it. */
export interface CountedTrait extends Trait {
  readonly selected: number;
  readonly rest: number;
}

/** The least number of selected nodes that must have a trait: half of them. */
export function leastSelected({ selected }: Sizes): number {
  return Math.ceil(selected / 2);
}

/**
 * The share of the selected nodes that have something, less the share of the others; undefined if too few selected nodes have it,
 * or the shares are nearly the same.
 */
export function scoreOf(having: Sizes, sizes: Sizes): number | undefined {
  if (sizes.rest === 0 || having.selected === 0 || having.selected < leastSelected(sizes)) return undefined;
  const score = having.selected / sizes.selected - having.rest / sizes.rest;
  // Shares that differ by less are nearly the same.
  return Math.abs(score) > 0.2 ? score : undefined;
}

/** The difference that a trait makes, if it makes one. */
export function differenceOf(trait: CountedTrait, sizes: Sizes): Difference | undefined {
  const score = scoreOf(trait, sizes);
  return score === undefined ? undefined : { ...trait, score };
}

/** The greatest difference first; of equal ones in the order of kinds, paths and values. */
export function compareDifferences(one: Difference, other: Difference): number {
  return (
    Math.abs(other.score) - Math.abs(one.score) ||
    traitKinds.indexOf(one.kind) - traitKinds.indexOf(other.kind) ||
    compareBytewise(nameOf(one), nameOf(other))
  );
}

function nameOf({ path, value }: Trait): string {
  return stringifyJson([[...path], ...(value === undefined ? [] : [value])]);
}
