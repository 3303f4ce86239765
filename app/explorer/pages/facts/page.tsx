import type { JSX } from "preact";
import type { Facets } from "#storage/query/facets/answer.ts";
import { useEnvironment, useParameter } from "../address/address.ts";
import { sort as sortCodec, texts } from "../address/codecs.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Loading, Problem } from "../frame/panel.tsx";
import { ListPage, useNeedle } from "../list/list-page.tsx";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import { counted } from "../value/text.ts";
import { FactTable } from "./fact-table.tsx";
import { useMemo } from "preact/hooks";
import type { Loaded } from "../data/use-data.ts";
import { useFacets, useQuery } from "../data/use-query.ts";
import {
  countedPaths,
  type CountedPath,
  type FactLine,
  factLines,
  openFacts,
  pathPattern,
  type TypedPath,
} from "./fact-tree.ts";

/** The endpoint lists no more. */
const MOST_PATHS = 1000;
/** Paths of a search; more are no help. */
const MOST_FOUND = 300;
const MOST_TYPES = 5000;

/** The list of facts. */
interface FactList {
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

interface FactsQuestion {
  readonly environment: string | undefined;
  readonly search: string;
  /** Ids of lines. */
  readonly open: readonly string[];
}

/** Fetches the facts, the parts of those that are open, and what matches a search. */
function useFactLines({ environment, search, open }: FactsQuestion): FactList {
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

const order = sortCodec({ field: "fact", descending: false });

/** Which facts are there, how many nodes have them, and how much do they differ? */
export default function FactsPage(): JSX.Element {
  const environment = useEnvironment();
  const [search] = useNeedle();
  const [open, setOpen] = useParameter("open", texts);
  const [sort, setSort] = useParameter("sort", order);
  const { lines, nodes, facts, isCut, loaded } = useFactLines({ environment, search, open });
  const failed = loaded.find(({ error }) => error !== undefined);
  const waiting = loaded.find(({ value, error }) => value === undefined && error === undefined);
  const toggle = (id: string): void => {
    setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id], { push: false });
  };
  return (
    <ListPage
      title="Facts"
      count={waiting === undefined ? `${counted(facts, "fact")} of ${counted(nodes, "node")}` : undefined}
      search="Search in paths of facts"
      actions={
        <ExportMenu
          name="facts"
          pql={query("facts", {
            select: ["name", "count()"],
            where: inEnvironment("facts", environment),
            groupBy: ["name"],
          })}
        />
      }
    >
      {failed === undefined ? null : <Problem loaded={failed} />}
      {waiting === undefined ? (
        <>
          {isCut ? <p class="muted">There are more paths than are listed. Search for a part of the path.</p> : null}
          <FactTable
            lines={lines}
            nodes={nodes}
            among="nodes that have facts"
            onToggle={toggle}
            sort={sort}
            onSort={setSort}
          />
        </>
      ) : (
        <Loading loaded={waiting} height={400} />
      )}
    </ListPage>
  );
}
