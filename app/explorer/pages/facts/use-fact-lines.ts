import { useMemo } from "preact/hooks";
import type { Facets, FacetValue } from "#storage/query/facets/answer.ts";
import { useFacets } from "../data/use-facets.ts";
import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import type { FactPath } from "../pql/fact-path.ts";
import { type CountedPath, type FactLine, factLines, openFacts, pathPattern, type TypedPath } from "./fact-tree.ts";

/** The endpoint lists no more. */
const MOST_PATHS = 1000;
/** Paths of a search; more are no help. */
const MOST_FOUND = 300;
const MOST_TYPES = 5000;

/** The list of facts. */
export interface FactList {
  readonly lines: readonly FactLine[];
  /** Nodes that have any fact. */
  readonly nodes: number;
  /** Number of facts, parts not counted. */
  readonly facts: number;
  /** A limit left out paths. */
  readonly isCut: boolean;
  /** What the list is made of, for the states of loading. */
  readonly loaded: readonly Loaded<unknown>[];
}

export interface FactsQuestion {
  readonly environment: string | undefined;
  readonly search: string;
  /** Ids of lines. */
  readonly open: readonly string[];
}

/** Fetches the facts, the parts of those that are open, and what matches a search. */
export function useFactLines({ environment, search, open }: FactsQuestion): FactList {
  const isSearch = search.trim() !== "";
  const ofEnvironment = inEnvironment("facts", environment);
  const facts = useQuery<{ name: string; count: number }>({
    name: "Facts with the number of nodes that have them",
    pql: query("facts", { select: ["name", "count()"], where: ofEnvironment, groupBy: ["name"] }),
  });
  const nodes = useQuery<{ count: number }>({
    name: "Nodes with facts",
    pql: query("factsets", { select: ["count()"], where: ofEnvironment }),
  });
  // It looks at every value: the list is shown before it is there.
  const distinct = useFacets({
    name: "Different values of facts",
    entity: "facts",
    where: ofEnvironment,
    facets: [["name"]],
    distinct: "value",
    limit: MOST_PATHS,
  });
  const scalars = useQuery<TypedPath>(
    isSearch
      ? undefined
      : { name: "Types of facts", pql: query("fact_paths", { select: ["path", "type"], where: "depth = 0" }) },
  );
  const names = isSearch ? [] : openFacts(open);
  const within = names.length === 0 ? undefined : `name in [${names.map((name) => literal(name)).join(", ")}]`;
  const found = useQuery<TypedPath>(
    isSearch
      ? {
          name: "Paths that match",
          pql: query("fact_paths", { select: ["path", "type"], where: `path ~ ${literal(pathPattern(search))}` }),
          limit: MOST_FOUND,
        }
      : within === undefined
        ? undefined
        : {
            name: "Types of parts",
            pql: query("fact_paths", { select: ["path", "type"], where: within }),
            limit: MOST_TYPES,
          },
  );
  const counted = isSearch ? pathsIn(found.value) : within;
  const parts = useFacets(
    counted === undefined
      ? undefined
      : {
          name: "Parts of facts",
          entity: "fact_contents",
          where: and(counted, ofEnvironment),
          facets: [["path"]],
          distinct: "value",
          limit: MOST_PATHS,
        },
  );
  const lines = useMemo(
    () =>
      factLines({
        facts: wholeFacts(facts.value, distinct.value),
        leaves: countedPaths(parts.value),
        types: [...(isSearch ? [] : (scalars.value ?? [])), ...(found.value ?? [])],
        open: new Set(open),
        isSearch,
      }),
    [facts.value, distinct.value, parts.value, scalars.value, found.value, open, isSearch],
  );
  return {
    lines: isSearch && counted === undefined ? [] : lines,
    nodes: nodes.value?.[0]?.count ?? 0,
    facts: facts.value?.length ?? 0,
    isCut: (isSearch && (found.value?.length ?? 0) >= MOST_FOUND) || isMore(parts.value?.facets[0]),
    loaded: isSearch ? [facts, nodes, found, ...(counted === undefined ? [] : [parts])] : [facts, nodes, scalars],
  };
}

/** Facts as a whole; how many different values each has may come later. */
function wholeFacts(
  facts: readonly { readonly name: string; readonly count: number }[] | undefined,
  distinct: Facets | undefined,
): CountedPath[] {
  const values = new Map(distinct?.facets[0]?.values.map((one) => [one.value, one.distinct]));
  return (facts ?? []).map(({ name, count }) => ({ path: [name], nodes: count, distinct: values.get(name) }));
}

function isMore(facet: { readonly distinct: number; readonly values: readonly unknown[] } | undefined): boolean {
  return facet !== undefined && facet.distinct > facet.values.length;
}

/** A condition for the paths that were found; undefined when there are none. */
function pathsIn(found: readonly TypedPath[] | undefined): string | undefined {
  if (found === undefined || found.length === 0) return undefined;
  return `path in [${found.map(({ path }) => JSON.stringify(path)).join(", ")}]`;
}

/** Paths with the counts of a facet. */
export function countedPaths(facets: Facets | undefined): CountedPath[] {
  return (facets?.facets[0]?.values ?? []).map(({ value, count, distinct = 0 }: FacetValue) => ({
    path: (Array.isArray(value) ? value : [value]) as FactPath,
    nodes: count,
    distinct,
  }));
}
