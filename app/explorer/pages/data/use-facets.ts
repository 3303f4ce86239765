import { type Loaded, useData } from "./use-data.ts";
import { fieldElsewhere } from "../pql/related-field.ts";
import { query as pqlQuery } from "../pql/text.ts";
import type { Json } from "#storage/json.ts";
import { stateColumns } from "../state/states.ts";

/** One facet as `/explorer/api/v1/facets` answers it. */
export interface Facet {
  readonly fields: readonly string[];
  /** Different values. */
  readonly distinct: number;
  /** Rows without value. */
  readonly missing: number;
  /** Rows whose value is not among `values`. */
  readonly others: number;
  /** The commonest values; of several fields, a list each. */
  readonly values: readonly FacetValue[];
}

export interface FacetValue {
  readonly value: Json;
  readonly count: number;
  /** Distinct values of the field that was given as `distinct`. */
  readonly distinct?: number;
}

export interface Facets {
  readonly revision: number;
  readonly total: number;
  readonly facets: readonly Facet[];
}

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
}

/** Counts values of fields. */
export function useFacets(request: FacetsRequest | undefined): Loaded<Facets> {
  return useData<Facets>(request === undefined ? undefined : facetsRequest(request));
}

/** The fields that decide a node's state, but for the time of its report: PQL has no field for the state itself. */
const decisive = stateColumns.filter((column) => column !== "report_timestamp");

/** The counts in PQL. Fields that another entity has are counted there; PQL has no fields of several entities in one query. */
function countsPql(entity: string, where: string | undefined, fields: readonly string[]): string {
  const others = fields.flatMap((field) => fieldElsewhere(field, entity) ?? []);
  const [other] = others;
  if (other === undefined) {
    const groupBy = fields.flatMap((field) => (field === "state" ? decisive : [field]));
    return pqlQuery(entity, { select: [...groupBy, "count()"], where, groupBy });
  }
  const groupBy = others.flatMap((one) => (one.entity === other.entity ? [one.field] : []));
  const rows = where === undefined ? undefined : `${entity}{ ${where} }`;
  return pqlQuery(other.entity, { select: [...groupBy, "count()"], where: rows, groupBy });
}

/** The request for `useData`. */
export function facetsRequest({ name, entity, where, facets, filters, limit, like, per, distinct }: FacetsRequest): {
  name: string;
  pql: string;
  adds: string;
  path: string;
  parameters: Record<string, string | number | readonly string[] | undefined>;
} {
  return {
    name,
    pql: countsPql(entity, where, facets[0] ?? []),
    adds: "which orders values by their count and limits them",
    path: "/explorer/api/v1/facets",
    parameters: {
      query: pqlQuery(entity, { where }),
      facet: facets.map((fields) => fields.join(",")),
      filter: filters,
      limit,
      like,
      per,
      distinct,
    },
  };
}
