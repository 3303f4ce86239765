import { type EndpointRequest, type Loaded, useAnswer, useData } from "./use-data.ts";
import type { IssueDetail, Issues } from "#storage/issues/issue.ts";
import { type TimeRange, zoneName } from "../time/format.ts";
import type { Histogram, Measure } from "#storage/query/histogram/result.ts";
import { and, fieldElsewhere, literal, query, query as pqlQuery } from "../pql/text.ts";
import type { Facets } from "#storage/query/facets/answer.ts";
import { timeText } from "./as-of.ts";
import { outcomeFields } from "../state/states.ts";

export interface FacetsRequest {
  /** What is counted, for the drawer. */
  readonly name: string;
  readonly entity: string;
  readonly where?: string | undefined;
  /** Fields of each facet. */
  readonly facets: readonly (readonly string[])[];
  /** `FIELD=JSON` or `FIELD!=JSON` */
  readonly filters?: readonly string[];
  readonly limit?: number;
  readonly like?: string | undefined;
  /** Counts distinct values of this field rather than rows. */
  readonly per?: string;
  /** Counts distinct values of this field beside the rows. */
  readonly distinct?: string;
  /** Counts what was there at this time; default: at the time whose state the pages show. */
  readonly asOf?: Date;
}

/** Counts values of fields. */
export function useFacets(request: FacetsRequest | undefined): Loaded<Facets> {
  return useAnswer("facets", request === undefined ? undefined : facetsRequest(request));
}

/** The counts in PQL. Fields that another entity has are counted there; PQL has no fields of several entities in one query. */
function countsPql(entity: string, where: string | undefined, fields: readonly string[]): string {
  const others = fields.flatMap((field) => fieldElsewhere(field, entity) ?? []);
  const [other] = others;
  if (other === undefined) {
    // PQL has no field for the state itself.
    const groupBy = fields.flatMap((field) => (field === "state" ? outcomeFields : [field]));
    return pqlQuery(entity, { select: [...groupBy, "count()"], where, groupBy });
  }
  const groupBy = others.flatMap((one) => (one.entity === other.entity ? [one.field] : []));
  const rows = where === undefined ? undefined : `${entity}{ ${where} }`;
  return pqlQuery(other.entity, { select: [...groupBy, "count()"], where: rows, groupBy });
}

function facetsRequest({ name, entity, where, facets, filters, limit, like, per, distinct, asOf }: FacetsRequest): {
  name: string;
  pql: string;
  adds: string;
  parameters: Record<string, string | number | readonly string[] | undefined>;
} {
  return {
    name,
    pql: countsPql(entity, where, facets[0] ?? []),
    adds: "which orders values by their count and limits them",
    parameters: {
      query: pqlQuery(entity, { where }),
      facet: facets.map((fields) => fields.join(",")),
      filter: filters,
      limit,
      like,
      per,
      distinct,
      ...(asOf === undefined ? {} : { as_of: timeText(asOf) }),
    },
  };
}

interface HistogramRequest {
  /** "Runs over time" */
  readonly name: string;
  readonly range: TimeRange;
  readonly entity: "reports" | "events";
  readonly where?: string | undefined;
  readonly by?: string;
  /** Default: rows. */
  readonly measure?: Measure;
  readonly buckets?: number;
}

const times = { reports: "producer_timestamp", events: "timestamp" } as const;

const added: Readonly<Record<Measure, string>> = {
  rows: "which counts in spans that fit the time range",
  nodes: "which counts each node once in a span, by its last run",
  duration: "which computes how long runs took",
};

/** Counts over time. */
export function useHistogram(request: HistogramRequest | undefined): Loaded<Histogram> {
  return useAnswer("histogram", request === undefined ? undefined : histogramRequest(request));
}

function histogramRequest({
  name,
  range,
  entity,
  where,
  by,
  measure,
  buckets = 48,
}: HistogramRequest): EndpointRequest {
  const field = times[entity];
  const hour = `to_string(${field}, "YYYY-MM-DD HH24")`;
  const groupBy = [...(by === undefined ? [] : [by]), hour];
  return {
    name,
    pql: query(entity, {
      select: [...groupBy, "count()"],
      where: and(`${field} >= ${literal(range.from)}`, `${field} <= ${literal(range.to)}`, where),
      groupBy,
    }),
    adds: added[measure ?? "rows"],
    parameters: {
      query: query(entity, { where }),
      field,
      by,
      measure,
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      buckets,
      zone: zoneName(),
    },
  };
}

/** One issue. */
export function useIssue(
  id: string,
  { range, environment }: { readonly range: TimeRange; readonly environment: string | undefined },
): Loaded<IssueDetail> {
  return useAnswer("issues/:id", {
    name: "The issue",
    pql: 'events{ status = "failure" and latest_report? = true }',
    adds: "which folds messages that differ in details, and adds failures from logs",
    segment: id,
    parameters: { ...rangeParameters(range), env: environment },
  });
}

interface IssuesRequest {
  readonly name: string;
  readonly range: TimeRange;
  readonly environment?: string | undefined;
  readonly certname?: string;
  /** Only issues with this message, whatever resource has it. */
  readonly common?: string | undefined;
  /** Only issues of resources in this class. */
  readonly class?: string;
  readonly limit?: number;
}

/** Parameters of a time range for endpoints of the explorer. */
export function rangeParameters({ last, from, to }: TimeRange): Record<string, string | undefined> {
  return last === undefined ? { from: from.toISOString(), to: to.toISOString() } : { last };
}

/** Failures, grouped. */
export function useIssues({
  name,
  range,
  environment,
  certname,
  common,
  class: className,
  limit,
}: IssuesRequest): Loaded<Issues> {
  return useAnswer("issues", {
    name,
    pql: 'events[resource_type, resource_title, message, count()]{ status = "failure" and latest_report? = true group by resource_type, resource_title, message }',
    adds: "which folds messages that differ in details, and adds failures from logs",
    parameters: { ...rangeParameters(range), env: environment, certname, common, class: className, limit },
  });
}

/** A query in PQL. */
export interface PqlQuery {
  /** What its rows are, for the drawer: "Nodes that went silent". */
  readonly name: string;
  readonly pql: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly orderBy?: readonly { readonly field: string; readonly order: "asc" | "desc" }[];
  /** Counts the rows without limit too. */
  readonly includeTotal?: boolean;
  /** ISO 8601; default: the time whose state the pages show. */
  readonly asOf?: string | undefined;
}

/** The request that a query is sent as. */
export function queryRequest({ name, pql, limit, offset, orderBy, includeTotal, asOf }: PqlQuery): {
  name: string;
  pql: string;
  path: string;
  parameters: Record<string, string | number | boolean | undefined>;
} {
  return {
    name,
    pql,
    path: "/pdb/query/v4",
    parameters: {
      query: pql,
      order_by: orderBy === undefined ? undefined : JSON.stringify(orderBy),
      limit,
      offset,
      include_total: includeTotal,
      ...(asOf === undefined ? {} : { as_of: asOf }),
    },
  };
}

/** Rows of a query; see `useData`. */
export function useQuery<Row>(query: PqlQuery | undefined): Loaded<readonly Row[]> {
  return useData<readonly Row[]>(query === undefined ? undefined : queryRequest(query));
}
