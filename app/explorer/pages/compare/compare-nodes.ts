import {
  type Edge,
  type EdgeChange,
  compareEdges,
  compareResources,
  type Resource,
  type ResourceChange,
} from "#storage/diff/catalog.ts";
import { Sieve } from "#storage/diff/changes.ts";
import { comparePackages, type InstalledPackage } from "#storage/diff/packages.ts";
import { compareValues, type ValueChange } from "#storage/diff/values.ts";
import { visibilityOf, volatilePatterns } from "#storage/diff/visibility.ts";
import type { Json, JsonObject } from "#storage/json.ts";

export interface FactRow {
  readonly name: string;
  readonly value: Json;
}

/** What is stored of a node. */
export interface NodeRows {
  readonly facts: readonly FactRow[];
  readonly resources: readonly Resource[];
  readonly edges: readonly Edge[];
  readonly packages: readonly InstalledPackage[];
}

/** How one node differs from another. */
export interface NodeComparison {
  readonly facts: readonly ValueChange[];
  readonly resources: readonly ResourceChange[];
  readonly edges: readonly EdgeChange[];
  /** Paths are provider and name. */
  readonly packages: readonly ValueChange[];
  /** Differences that are left out because they always differ. */
  readonly volatile: number;
}

/** Compares two nodes, or one at two times, as `census diff` does. @param withVolatile shows values that always differ too */
export function compareNodes(from: NodeRows, to: NodeRows, withVolatile: boolean): NodeComparison {
  const sieve = new Sieve(visibilityOf([], withVolatile ? [] : volatilePatterns));
  return {
    facts: sieve.values("facts", compareValues(factsOf(from.facts), factsOf(to.facts))),
    resources: sieve.resources(compareResources(from.resources, to.resources)),
    edges: sieve.edges(compareEdges(from.edges, to.edges)),
    packages: comparePackages(from.packages, to.packages),
    volatile: sieve.volatile,
  };
}

function factsOf(facts: readonly FactRow[]): JsonObject {
  return Object.fromEntries(facts.map(({ name, value }) => [name, value]));
}
