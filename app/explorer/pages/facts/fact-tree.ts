import type { Facets, FacetValue } from "#storage/query/facets/answer.ts";
import { factAddress, type FactPath, readFactAddress } from "../pql/fact-path.ts";
import { escapePattern } from "../pql/text.ts";
import { compareNaturally, type SortValue } from "../table/column.ts";

/** What is known of a path: a leaf, or a fact as a whole. */
export interface CountedPath {
  readonly path: FactPath;
  /** Nodes that have it. */
  readonly nodes: number;
  /** Different values; undefined until they are counted. */
  readonly distinct: number | undefined;
}

/** A line of the list of facts. */
export interface FactLine {
  /** Unique in the list, and in the address. */
  readonly id: string;
  readonly path: FactPath;
  /** The last part of the path. */
  readonly name: string | number;
  readonly depth: number;
  /** `string`, `integer`, … of the values; several where nodes differ; empty until it is known. */
  readonly types: readonly string[];
  readonly nodes: number;
  /** undefined: not counted yet, or never, because it is a part that has parts itself. */
  readonly distinct: number | undefined;
  readonly isStructured: boolean;
  readonly isOpen: boolean;
}

/** A path with the type of its values, as `fact_paths` has it. */
export interface TypedPath {
  readonly path: FactPath;
  readonly type: string;
}

/** What the list is made of. */
export interface KnownFacts {
  /** Facts, each as a whole. */
  readonly facts: readonly CountedPath[];
  /** Leaves of the facts that are open, or that were found. */
  readonly leaves: readonly CountedPath[];
  /** Of both. */
  readonly types: readonly TypedPath[];
  readonly open: ReadonlySet<string>;
  /** All are open, and facts without leaves are left out: what was searched for. */
  readonly isSearch: boolean;
}

interface Part {
  readonly path: FactPath;
  nodes: number;
  distinct: number | undefined;
  readonly parts: Map<string | number, Part>;
}

/** The lines of the list, sorted by name; the parts of open facts below them. */
export function factLines({ facts, leaves, types, open, isSearch }: KnownFacts): FactLine[] {
  const roots = new Map<string | number, Part>();
  for (const { path, nodes, distinct } of facts) {
    const [name = ""] = path;
    if (!isSearch) roots.set(name, { path, nodes, distinct, parts: new Map() });
  }
  for (const leaf of leaves) addLeaf(roots, leaf);
  const byPath = new Map<string, string[]>();
  for (const { path, type } of types) byPath.set(factAddress(path), [...(byPath.get(factAddress(path)) ?? []), type]);

  const lines: FactLine[] = [];
  const add = (parts: ReadonlyMap<string | number, Part>, depth: number): void => {
    for (const [name, part] of [...parts].sort(([one], [other]) => compareNames(one, other))) {
      const id = factAddress(part.path);
      const known = byPath.get(id) ?? [];
      const isStructured = part.parts.size > 0 || (depth === 0 && !isSearch && known.length === 0);
      const isOpen = isStructured && (isSearch || open.has(id));
      const own = isStructured ? [...known, "structured"] : known;
      lines.push({
        id,
        path: part.path,
        name,
        depth,
        types: own,
        nodes: part.nodes,
        distinct: part.distinct,
        isStructured,
        isOpen,
      });
      if (isOpen) add(part.parts, depth + 1);
    }
  };
  add(roots, 0);
  return lines;
}

/** The lines in another order: facts among themselves, and the parts of each below it. */
export function sortedLines(
  lines: readonly FactLine[],
  value: (line: FactLine) => SortValue,
  descending: boolean,
): FactLine[] {
  interface Branch {
    readonly line: FactLine;
    readonly below: Branch[];
  }
  const roots: Branch[] = [];
  const above: Branch[] = [];
  for (const line of lines) {
    const branch: Branch = { line, below: [] };
    above.length = line.depth;
    (above.at(-1)?.below ?? roots).push(branch);
    above.push(branch);
  }
  const written = (branches: readonly Branch[]): FactLine[] =>
    branches
      .toSorted((one, other) => compareNaturally(value(one.line), value(other.line), descending))
      .flatMap(({ line, below }) => [line, ...written(below)]);
  return written(roots);
}

/** Puts a leaf below the parts that lead to it. As many nodes have a part as have the commonest leaf in it, or more. */
function addLeaf(roots: Map<string | number, Part>, { path, nodes, distinct }: CountedPath): void {
  let parts = roots;
  for (const [index, name] of path.entries()) {
    let part = parts.get(name);
    if (part === undefined) {
      part = { path: path.slice(0, index + 1), nodes: 0, distinct: undefined, parts: new Map() };
      parts.set(name, part);
    }
    part.nodes = Math.max(part.nodes, nodes);
    if (index === path.length - 1) part.distinct = distinct;
    ({ parts } = part);
  }
}

const collator = new Intl.Collator("en", { numeric: true });

function compareNames(one: string | number, other: string | number): number {
  return collator.compare(String(one), String(other));
}

/** The facts whose parts have to be fetched: those that are open, or have a part that is open. */
export function openFacts(open: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const id of open) {
    const [name] = readFactAddress(id) ?? [];
    if (typeof name === "string") names.add(name);
  }
  return [...names].sort();
}

/**
 * A pattern for the paths of `fact_paths` that contain a text, as people write it: `release.full`, `disks[0]`. The engine
 * writes paths with `#~` between their parts.
 */
export function pathPattern(text: string): string {
  const parts = text
    .trim()
    .replaceAll(/\[(\d+)\]/g, ".$1")
    .split(".");
  return `(?i)${parts.map(escapePattern).join(String.raw`(?:#~|\.)`)}`;
}

/** Paths with the counts of a facet. */
export function countedPaths(facets: Facets | undefined): CountedPath[] {
  return (facets?.facets[0]?.values ?? []).map(({ value, count, distinct = 0 }: FacetValue) => ({
    path: (Array.isArray(value) ? value : [value]) as FactPath,
    nodes: count,
    distinct,
  }));
}
