import type { Sort } from "../address/codecs.ts";
import type { Exported } from "../export/export.ts";
import type { RowSource } from "../table/column.ts";
import { exportedRows, type RowsQuery, useQuerySource } from "../table/query-source.ts";
import { type ListedNode, nodeFields } from "./node-row.ts";

/** Which nodes, in which order, and what about them. */
export interface NodesRequest {
  readonly where: string | undefined;
  readonly sort: Sort;
  /** The columns that are shown. */
  readonly columns: readonly string[];
  /** Without it nothing is fetched. */
  readonly isListed: boolean;
}

export interface Nodes {
  readonly source: RowSource<ListedNode>;
  /** What is shown, for the export. */
  readonly exported: Pick<Exported, "pql" | "table">;
}

/** The nodes that a condition selects, with the columns that are shown. */
export function useNodes({ where, sort, columns, isListed }: NodesRequest): Nodes {
  const query: RowsQuery = {
    name: "Nodes",
    entity: "nodes",
    select: nodeFields,
    where,
    orderBy: [`${sort.field}${sort.descending ? " desc" : ""}`, ...(sort.field === "certname" ? [] : ["certname"])],
    // The state is computed here, because it changes with the time.
    columns: [...new Set([...nodeFields, ...columns.filter((key) => key !== "state")])],
  };
  return {
    source: useQuerySource<ListedNode>(isListed ? query : undefined),
    exported: exportedRows(query, columns),
  };
}
