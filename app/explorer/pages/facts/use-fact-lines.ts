import { useMemo } from "preact/hooks";
import type { FacetValue } from "../data/use-facets.ts";
import { facetsRequest, useFacets } from "../data/use-facets.ts";
import { type Loaded, useData } from "../data/use-data.ts";
import type { Facets } from "../data/use-facets.ts";
import { useQuery } from "../data/use-query.ts";
import { inEnvironment } from "../pql/environment.ts";
import type { FactPath } from "../pql/fact-path.ts";
import { and, literal, query } from "../pql/text.ts";
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
  const facts = useFacets({
    name: "Facts",
    entity: "facts",
    where: ofEnvironment,
    facets: [["name"]],
    per: "certname",
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
  const parts = useData<Facets>(
    counted === undefined
      ? undefined
      : facetsRequest({
          name: "Parts of facts",
          entity: "fact_contents",
          where: and(counted, ofEnvironment),
          facets: [["path"]],
          per: "certname",
          distinct: "value",
          limit: MOST_PATHS,
        }),
  );
  const lines = useMemo(
    () =>
      factLines({
        facts: countedPaths(facts.value),
        leaves: countedPaths(parts.value),
        types: [...(isSearch ? [] : (scalars.value ?? [])), ...(found.value ?? [])],
        open: new Set(open),
        isSearch,
      }),
    [facts.value, parts.value, scalars.value, found.value, open, isSearch],
  );
  const [names1] = facts.value?.facets ?? [];
  const [parts1] = parts.value?.facets ?? [];
  return {
    lines: isSearch && counted === undefined ? [] : lines,
    nodes: facts.value?.total ?? 0,
    facts: names1?.distinct ?? 0,
    isCut: (isSearch && (found.value?.length ?? 0) >= MOST_FOUND) || isMore(names1) || isMore(parts1),
    loaded: isSearch ? [facts, found, ...(counted === undefined ? [] : [parts])] : [facts, scalars],
  };
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
