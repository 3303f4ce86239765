import type { Json } from "#storage/json.ts";
import { useMemo } from "preact/hooks";
import type { Sort } from "../address/codecs.ts";
import type { NamedRequest } from "../data/use-data.ts";
import { and, literal, or, query } from "../pql/text.ts";
import { type FactPath, factField, readFactField } from "../pql/fact-path.ts";
import { stringifyJson } from "#storage/json.ts";
import { type QuerySource, type RowsQuery, rowsPql, useQuerySource } from "../table/query-source.ts";
import type { RowSource } from "../table/row-source.ts";
import { useWindowDetails } from "../table/use-window-details.ts";
import { type EventCounts, type FactValues, type ListedNode, nodeFields, type NodeRow } from "./node-row.ts";

/** Which nodes, in which order, and what about them. */
export interface NodesRequest {
  readonly where: string | undefined;
  readonly sort: Sort;
  /** Facts that are shown, as fields. */
  readonly facts: readonly string[];
  readonly withEvents: boolean;
  /** Without it nothing is fetched. */
  readonly isListed: boolean;
}

export interface Nodes {
  readonly source: RowSource<ListedNode>;
  /** All rows in PQL, for the export. */
  readonly pql: string;
  readonly events: ReadonlyMap<string, EventCounts> | undefined;
  readonly facts: FactValues;
}

interface Named {
  readonly certname: string;
}

/**
 * The nodes that a condition selects. Sorted by a fact, they are the rows of `fact_contents`, since `inventory` cannot be sorted by
 * a part of the facts; nodes without the fact are then left out.
 */
export function useNodes({ where, sort, facts, withEvents, isListed }: NodesRequest): Nodes {
  const path = readFactField(sort.field);
  const direction = sort.descending ? " desc" : "";
  const byField: RowsQuery = {
    name: "Nodes",
    entity: "nodes",
    select: nodeFields,
    where,
    orderBy: sort.field === "certname" ? [`certname${direction}`] : [`${sort.field}${direction}`, "certname"],
  };
  const byFact: RowsQuery = {
    name: `Nodes by ${sort.field}`,
    entity: "fact_contents",
    select: ["certname", "value"],
    where: and(`path = ${stringifyJson([...(path ?? [])])}`, where === undefined ? undefined : `nodes{ ${where} }`),
    orderBy: [`value${direction}`, "certname"],
  };
  const nodes = useQuerySource<NodeRow>(isListed && path === undefined ? byField : undefined);
  const sorted = useQuerySource<Named>(isListed && path !== undefined ? byFact : undefined);
  const shown: QuerySource<Named> = path === undefined ? nodes : sorted;

  const about = useWindowDetails<Named, NodeRow>(sorted, (rows) =>
    detailsRequest("The nodes that are seen", rows, { entity: "nodes", select: nodeFields, where }),
  );
  const events = useEvents(shown, where, withEvents);
  const values = useFacts(shown, where, facts);
  const byName = useMemo(() => new Map(about.details.map((row) => [row.certname, row])), [about.details]);
  const listed = useMemo(() => new WeakMap<Named, ListedNode>(), [byName]);
  const row = (index: number): ListedNode | undefined => {
    const found = path === undefined ? nodes.row(index) : sorted.row(index);
    if (found === undefined) return undefined;
    let node = listed.get(found);
    if (node === undefined) {
      node = { certname: found.certname, node: path === undefined ? (found as NodeRow) : byName.get(found.certname) };
      listed.set(found, node);
    }
    return node;
  };
  return {
    source: { ...shown, row, value: undefined },
    pql: rowsPql(path === undefined ? byField : byFact),
    events,
    facts: values,
  };
}

interface Asked {
  readonly entity: string;
  readonly select: readonly string[];
  readonly where: string | undefined;
  readonly groupBy?: readonly string[];
}

/** A query about some nodes. The list of queries shows it for all nodes, which is shorter. */
function detailsRequest(
  name: string,
  rows: readonly Named[],
  { entity, select, where, groupBy = [] }: Asked,
  own?: string,
): NamedRequest {
  const isOfNodes = entity === "nodes";
  const all = where === undefined || isOfNodes ? where : `nodes{ ${where} }`;
  const named = `certname in [${rows.map(({ certname }) => literal(certname)).join(", ")}]`;
  return {
    name,
    path: "/pdb/query/v4",
    pql: query(entity, { select, where: and(own, all), groupBy }),
    parameters: { query: query(entity, { select, where: and(own, named), groupBy }) },
  };
}

interface EventRow extends Named {
  readonly status: string;
  readonly count: number;
}

function useEvents(
  source: QuerySource<Named>,
  where: string | undefined,
  isWanted: boolean,
): ReadonlyMap<string, EventCounts> | undefined {
  const { details, isLoading } = useWindowDetails<Named, EventRow>(source, (rows) => {
    if (!isWanted) return undefined;
    const select = ["certname", "status", "count()"];
    const groupBy = ["certname", "status"];
    const asked = { entity: "events", select, where, groupBy };
    return detailsRequest("Events of the latest runs", rows, asked, "latest_report? = true");
  });
  return useMemo(() => {
    if (isLoading && details.length === 0) return undefined;
    const counts = new Map<string, Record<string, number>>();
    for (const { certname, status, count } of details) {
      const own = counts.get(certname) ?? {};
      own[status] = count;
      counts.set(certname, own);
    }
    return counts;
  }, [details, isLoading]);
}

interface FactRow extends Named {
  readonly path: FactPath;
  readonly value: Json;
}

function useFacts(source: QuerySource<Named>, where: string | undefined, facts: readonly string[]): FactValues {
  const { details, isLoading } = useWindowDetails<Named, FactRow>(source, (rows) =>
    facts.length === 0
      ? undefined
      : detailsRequest(
          "Facts of the nodes that are seen",
          rows,
          { entity: "fact_contents", select: ["certname", "path", "value"], where },
          or(...facts.map((field) => `path = ${stringifyJson([...(readFactField(field) ?? [])])}`)),
        ),
  );
  return useMemo(() => {
    const values = new Map<string, Map<string, Json>>();
    const of = (certname: string): Map<string, Json> => {
      const known = values.get(certname) ?? new Map<string, Json>();
      values.set(certname, known);
      return known;
    };
    for (const { certname, path, value } of details) of(certname).set(factField(path) ?? "", value);
    // Nodes without any of the facts are known to have none.
    if (!isLoading) for (const { rows } of source.seen) for (const { certname } of rows) of(certname);
    return values;
  }, [details, isLoading]);
}
