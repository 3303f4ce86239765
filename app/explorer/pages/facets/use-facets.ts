import { type Loaded, useData } from "../data/use-data.ts";
import type { FacetsAnswer } from "./facet.ts";
import { type Filter, writeFilter } from "./filters.ts";

/** Values of fields with their counts. */
export interface FacetsRequest {
  readonly name: string;
  /** PQL without projection: `nodes{ … }`. Without the filters. */
  readonly query: string;
  /** Fields; several separated by commas are counted together. */
  readonly fields: readonly string[];
  readonly filters?: readonly Filter[];
  /** Most values of each facet; default 10. */
  readonly limit?: number;
  /** Only values that contain this text. */
  readonly like?: string;
  /** Counts different values of this field instead of rows. */
  readonly per?: string;
}

/** Counts the values of fields. @param request undefined: nothing is fetched */
export function useFacets(request: FacetsRequest | undefined): Loaded<FacetsAnswer> {
  return useData<FacetsAnswer>(
    request === undefined
      ? undefined
      : {
          name: request.name,
          path: "/explorer/api/v1/facets",
          pql: request.query,
          adds: `counts the values of ${request.fields.join(", ")}`,
          parameters: {
            query: request.query,
            facet: request.fields,
            filter: request.filters?.map(writeFilter),
            limit: request.limit,
            like: request.like,
            per: request.per,
          },
        },
  );
}
