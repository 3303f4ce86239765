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

interface OfNode {
  readonly certname: string;
}

export interface FactRow extends OfNode {
  readonly name: string;
  readonly value: Json;
}

export type ResourceRow = Resource & OfNode;

export type EdgeRow = Edge & OfNode;

export type PackageRow = InstalledPackage & OfNode;

/** Rows of two nodes. */
export interface NodeRows {
  readonly facts: readonly FactRow[];
  readonly resources: readonly ResourceRow[];
  readonly edges: readonly EdgeRow[];
  readonly packages: readonly PackageRow[];
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

export interface CompareOptions {
  readonly from: string;
  readonly to: string;
  /** Whether values are shown that always differ. */
  readonly withVolatile: boolean;
}

/** Compares two nodes as `census diff` does. */
export function compareNodes(rows: NodeRows, { from, to, withVolatile }: CompareOptions): NodeComparison {
  const sieve = new Sieve(visibilityOf([], withVolatile ? [] : volatilePatterns));
  const both = <Row extends OfNode>(all: readonly Row[]): [Row[], Row[]] => [
    all.filter(({ certname }) => certname === from),
    all.filter(({ certname }) => certname === to),
  ];
  const [factsBefore, factsAfter] = both(rows.facts);
  const [packagesBefore, packagesAfter] = both(rows.packages);
  return {
    facts: sieve.values("facts", compareValues(factsOf(factsBefore), factsOf(factsAfter))),
    resources: sieve.resources(compareResources(...both(rows.resources))),
    edges: sieve.edges(compareEdges(...both(rows.edges))),
    packages: comparePackages(packagesBefore, packagesAfter),
    volatile: sieve.volatile,
  };
}

function factsOf(facts: readonly FactRow[]): JsonObject {
  return Object.fromEntries(facts.map(({ name, value }) => [name, value]));
}
