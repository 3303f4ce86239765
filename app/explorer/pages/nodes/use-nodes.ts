import { type Json, stringifyJson } from "#storage/json.ts";
import { useMemo } from "preact/hooks";
import type { Sort } from "../address/codecs.ts";
import { type NamedRequest, useData } from "../data/use-data.ts";
import { and, literal, or, query, type RelatedField, relatedField } from "../pql/text.ts";
import { factField, type FactPath, readFactField } from "../pql/fact-path.ts";
import { type QuerySource, rowsPql, type RowsQuery, useQuerySource } from "../table/query-source.ts";
import type { RowSource } from "../table/column.ts";
import { type EventCounts, type FieldValues, type ListedNode, nodeFields, type NodeRow } from "./node-row.ts";
import type { RequestError } from "../data/fetch-json.ts";

/** Which nodes, in which order, and what about them. */
export interface NodesRequest {
  readonly where: string | undefined;
  readonly sort: Sort;
  /** Facts that are shown, as fields. */
  readonly facts: readonly string[];
  /** Fields of catalogs and factsets that are shown: `catalogs.producer`. */
  readonly related: readonly string[];
  readonly withEvents: boolean;
  /** Whether nodes are among them that queries leave out unless they say otherwise. */
  readonly withInactive: boolean;
  /** Without it nothing is fetched. */
  readonly isListed: boolean;
}

export interface Nodes {
  readonly source: RowSource<ListedNode>;
  /** All rows in PQL, for the export. */
  readonly pql: string;
  readonly events: ReadonlyMap<string, EventCounts> | undefined;
  readonly facts: FieldValues;
  readonly related: FieldValues;
}

interface Named {
  readonly certname: string;
}

/**
 * The nodes that a condition selects. Sorted by a fact or by a field of another entity, they are the rows of that entity, and
 * nodes without such a row are left out.
 */
export function useNodes(request: NodesRequest): Nodes {
  const { sort, isListed } = request;
  const elsewhere = sortedElsewhere(request);
  const direction = sort.descending ? " desc" : "";
  const byField: RowsQuery = {
    name: "Nodes",
    entity: "nodes",
    select: nodeFields,
    where: request.where,
    orderBy: sort.field === "certname" ? [`certname${direction}`] : [`${sort.field}${direction}`, "certname"],
  };
  const nodes = useQuerySource<NodeRow>(isListed && elsewhere === undefined ? byField : undefined);
  const sorted = useQuerySource<Named>(isListed ? elsewhere : undefined);
  const shown: QuerySource<Named> = elsewhere === undefined ? nodes : sorted;

  const about = useWindowDetails<Named, NodeRow>(sorted, (rows) =>
    detailsRequest(request, rows, { name: "The nodes that are seen", entity: "nodes", select: nodeFields }),
  );
  const events = useEvents(shown, request);
  const facts = useFacts(shown, request);
  const related = useRelated(shown, request);
  const byName = useMemo(() => new Map(about.details.map((row) => [row.certname, row])), [about.details]);
  const listed = useMemo(() => new WeakMap<Named, ListedNode>(), [byName]);
  const row = (index: number): ListedNode | undefined => {
    const found = shown.row(index);
    if (found === undefined) return undefined;
    let node = listed.get(found);
    if (node === undefined) {
      const own = elsewhere === undefined ? nodes.row(index) : byName.get(found.certname);
      node = { certname: found.certname, node: own };
      listed.set(found, node);
    }
    return node;
  };
  return {
    source: { ...shown, row, value: undefined },
    pql: rowsPql(elsewhere ?? byField),
    events,
    facts,
    related,
  };
}

/**
 * The rows of another entity that the nodes are sorted by; undefined when `nodes` has the field. `inventory` cannot be sorted by a
 * part of the facts, `fact_contents` can.
 */
function sortedElsewhere({ sort, where }: NodesRequest): RowsQuery | undefined {
  const path = readFactField(sort.field);
  const related = relatedField(sort.field);
  if (path === undefined && related === undefined) return undefined;
  const { entity, field } = related ?? { entity: "fact_contents", field: "value" };
  return {
    name: `Nodes by ${sort.field}`,
    entity,
    select: ["certname", field],
    where: and(
      path === undefined ? undefined : `path = ${stringifyJson([...path])}`,
      where === undefined ? undefined : `nodes{ ${where} }`,
    ),
    orderBy: [`${field}${sort.descending ? " desc" : ""}`, "certname"],
  };
}

interface Requested {
  /** For the list of queries. */
  readonly name: string;
  readonly entity: string;
  readonly select: readonly string[];
  /** A condition besides which nodes. */
  readonly own?: string | undefined;
  readonly groupBy?: readonly string[];
}

/** A query about some nodes. The list of queries shows it for all nodes, which is shorter. */
function detailsRequest(
  { where, withInactive }: NodesRequest,
  rows: readonly Named[],
  { name, entity, select, own, groupBy = [] }: Requested,
): NamedRequest {
  const all = where === undefined || entity === "nodes" ? where : `nodes{ ${where} }`;
  const named = and(
    `certname in [${rows.map(({ certname }) => literal(certname)).join(", ")}]`,
    withInactive ? 'node_state = "any"' : undefined,
  );
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

function useEvents(source: QuerySource<Named>, request: NodesRequest): ReadonlyMap<string, EventCounts> | undefined {
  const { details, isLoading } = useWindowDetails<Named, EventRow>(source, (rows) =>
    request.withEvents
      ? detailsRequest(request, rows, {
          name: "Events of the latest runs",
          entity: "events",
          select: ["certname", "status", "count()"],
          own: "latest_report? = true",
          groupBy: ["certname", "status"],
        })
      : undefined,
  );
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

function useFacts(source: QuerySource<Named>, request: NodesRequest): FieldValues {
  const { facts } = request;
  const { details, isLoading } = useWindowDetails<Named, FactRow>(source, (rows) =>
    facts.length === 0
      ? undefined
      : detailsRequest(request, rows, {
          name: "Facts of the nodes that are seen",
          entity: "fact_contents",
          select: ["certname", "path", "value"],
          own: or(...facts.map((field) => `path = ${stringifyJson([...(readFactField(field) ?? [])])}`)),
        }),
  );
  return useMemo(() => {
    const values = new Values();
    for (const { certname, path, value } of details) values.of(certname).set(factField(path) ?? "", value);
    if (!isLoading) values.complete(source);
    return values.all;
  }, [details, isLoading]);
}

/** Fields of the rows that other entities have of the nodes, one request for each entity. */
function useRelated(source: QuerySource<Named>, request: NodesRequest): FieldValues {
  const [catalogs, factsets] = [
    useRelatedRows(source, request, "catalogs"),
    useRelatedRows(source, request, "factsets"),
  ];
  const isLoading = catalogs.isLoading || factsets.isLoading;
  return useMemo(() => {
    const values = new Values();
    for (const [entity, { details }] of Object.entries({ catalogs, factsets })) {
      for (const { certname, ...fields } of details) {
        for (const [field, value] of Object.entries(fields)) values.of(certname).set(`${entity}.${field}`, value);
      }
    }
    if (!isLoading) values.complete(source);
    return values.all;
  }, [catalogs.details, factsets.details, isLoading]);
}

type RelatedRow = Named & Readonly<Record<string, string>>;

function useRelatedRows(
  source: QuerySource<Named>,
  request: NodesRequest,
  entity: RelatedField["entity"],
): WindowDetails<RelatedRow> {
  const fields = request.related.flatMap((name) => {
    const related = relatedField(name);
    return related?.entity === entity ? [related.field] : [];
  });
  return useWindowDetails<Named, RelatedRow>(source, (rows) =>
    fields.length === 0
      ? undefined
      : detailsRequest(request, rows, {
          name: `Rows of ${entity} of the nodes that are seen`,
          entity,
          select: ["certname", ...fields],
        }),
  );
}

/** Collects values by node and field. */
class Values {
  readonly all = new Map<string, Map<string, Json>>();

  of(certname: string): Map<string, Json> {
    const known = this.all.get(certname) ?? new Map<string, Json>();
    this.all.set(certname, known);
    return known;
  }

  /** Nodes without any value are known to have none. */
  complete({ seen }: QuerySource<Named>): void {
    for (const { rows } of seen) for (const { certname } of rows) this.of(certname);
  }
}

/** What is known besides about the rows that are seen. */
interface WindowDetails<Detail> {
  readonly details: readonly Detail[];
  /** Whether something is missing still. */
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
}

/**
 * Fetches more about the rows of the windows that are seen, one request for each.
 * @param request for the rows of one window; undefined: nothing is needed
 */
function useWindowDetails<Row, Detail>(
  source: QuerySource<Row>,
  request: (rows: readonly Row[]) => NamedRequest | undefined,
): WindowDetails<Detail> {
  const requestOf = (parity: number): NamedRequest | undefined => {
    const rows = source.seen.find(({ window }) => window % 2 === parity)?.rows ?? [];
    return rows.length === 0 ? undefined : request(rows);
  };
  const even = useData<readonly Detail[]>(requestOf(0));
  const odd = useData<readonly Detail[]>(requestOf(1));
  const details = useMemo(() => [...(even.value ?? []), ...(odd.value ?? [])], [even.value, odd.value]);
  return { details, isLoading: even.isLoading || odd.isLoading, error: even.error ?? odd.error };
}
