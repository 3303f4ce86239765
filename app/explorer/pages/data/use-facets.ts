import type { Facets } from "#storage/query/facets/answer.ts";
import { timeText } from "./as-of.ts";
import { type Loaded, useAnswer } from "./use-data.ts";
import { fieldElsewhere, query as pqlQuery } from "../pql/text.ts";
import { stateColumns } from "../state/states.ts";

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
