import { type Loaded, useData } from "./use-data.ts";

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
}

/** The request that a query is sent as. */
export function queryRequest({ name, pql, limit, offset, orderBy, includeTotal }: PqlQuery): {
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
    },
  };
}

/** Rows of a query; see `useData`. */
export function useQuery<Row>(query: PqlQuery | undefined): Loaded<readonly Row[]> {
  return useData<readonly Row[]>(query === undefined ? undefined : queryRequest(query));
}
