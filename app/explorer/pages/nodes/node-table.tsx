import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Sort } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import {
  type Facet,
  type FacetedRows,
  facetLabel,
  type Filter,
  valueText,
  without,
  writeFilter,
} from "../facets/filters.ts";
import { factTitle } from "../pql/fact-path.ts";
import { silence } from "../state/states.ts";
import type { Column, ColumnAction, RowSource } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { nodeColumn } from "./columns.tsx";
import { counted } from "../value/text.ts";
import { marked } from "../value/value.tsx";
import { useFacets } from "../data/use-query.ts";
import { pinFact } from "./parameters.ts";
import { type ListedNode, nodeFields } from "../node/use-node.ts";
import type { Exported } from "../export/export.ts";
import { exportedRows, type RowsQuery, useQuerySource } from "../table/query-source.ts";

/** Which nodes, in which order, and what about them. */
interface NodesRequest {
  readonly where: string | undefined;
  readonly sort: Sort;
  /** The columns that are shown. */
  readonly columns: readonly string[];
  /** Without it nothing is fetched. */
  readonly isListed: boolean;
}

interface Nodes {
  readonly source: RowSource<ListedNode>;
  /** What is shown, for the export. */
  readonly exported: Pick<Exported, "pql" | "table">;
}

/** The nodes that a condition selects, with the columns that are shown. */
export function useNodes({ where, sort, columns, isListed }: NodesRequest): Nodes {
  const query: RowsQuery = {
    name: "Nodes",
    entity: "nodes",
    select: nodeFields(),
    where,
    orderBy: [`${sort.field}${sort.descending ? " desc" : ""}`, ...(sort.field === "certname" ? [] : ["certname"])],
    // The state is computed here, because it changes with the time.
    columns: [...new Set([...nodeFields(), ...columns.filter((key) => key !== "state")])],
  };
  return {
    source: useQuerySource<ListedNode>(isListed ? query : undefined),
    exported: exportedRows(query, columns),
  };
}

interface WithoutEachProps {
  readonly rows: FacetedRows;
  readonly facets: readonly Facet[];
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  /** Plural: "nodes". */
  readonly noun: string;
}

/** Filters offered for removal; each is a request. */
const MOST = 5;

/** Shown when nothing matches: how many rows there would be without each of the filters. */
function WithoutEach(props: WithoutEachProps): JSX.Element {
  const { filters, noun } = props;
  return (
    <>
      <p>No {noun} match all filters.</p>
      <ul class="without-each">
        {filters.slice(0, MOST).map((filter) => (
          <li key={writeFilter(filter)}>
            <Without filter={filter} {...props} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Without({
  rows,
  facets,
  filters,
  filter,
  onFilters,
  noun,
}: WithoutEachProps & { filter: Filter }): JSX.Element {
  const others = without(filters, filter);
  const loaded = useFacets({
    name: `Without ${filter.field}`,
    ...rows,
    facets: [[filter.field]],
    filters: others.map(writeFilter),
    limit: 1,
  });
  const label = facetLabel(filter.field, facets);
  return (
    <button type="button" class="plain" onClick={() => onFilters(others)}>
      Without “{marked(label)}: {filter.excludes ? "not " : ""}
      {marked(valueText(filter.value))}”:{" "}
      {loaded.value === undefined ? "…" : `${loaded.value.total.toLocaleString()} ${noun}`}
    </button>
  );
}

export interface NodeTableProps {
  readonly nodes: Nodes;
  readonly rows: FacetedRows;
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  readonly facets: readonly Facet[];
  readonly columns: readonly string[];
  readonly onColumns: (columns: readonly string[]) => void;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelected: (selected: ReadonlySet<string>) => void;
}

/** The nodes, one a row. */
export function NodeTable(props: NodeTableProps): JSX.Element {
  const { nodes, rows, filters, onFilters, facets, sort } = props;
  const { source } = nodes;
  // Rows are rendered again where the columns change: states depend on the time.
  const columns = useMemo(() => props.columns.flatMap((key) => nodeColumn(key) ?? []), [props.columns, silence.value]);
  const actions = (column: Column<ListedNode>): readonly ColumnAction[] =>
    factTitle(column.key) === undefined || facets.some(({ field }) => field === column.key)
      ? []
      : [{ label: "Show as a facet", run: () => pinFact(column.key) }];
  return (
    <>
      <p class="nodes-count muted" role="status">
        {source.count === undefined ? "" : countText(source.count)}
      </p>
      <DataTable
        name="Nodes"
        columns={columns}
        source={source}
        sort={sort}
        onSort={props.onSort}
        onColumns={props.onColumns}
        columnActions={actions}
        selection={{ selected: props.selected, change: props.onSelected, key: ({ certname }) => certname }}
        empty={
          filters.length > 0 ? (
            <WithoutEach rows={rows} facets={facets} filters={filters} onFilters={onFilters} noun="nodes" />
          ) : undefined
        }
      />
    </>
  );
}

function countText(count: number): string {
  const all = about.value?.counts.nodes ?? count;
  return `${counted(count, "node")}${count < all ? ` of ${all.toLocaleString()}` : ""}`;
}
