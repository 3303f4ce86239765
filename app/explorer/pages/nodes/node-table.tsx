import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Sort } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import type { Facet, FacetedRows, Filter } from "../facets/filters.ts";
import { pinFact } from "../facets/pinned-facts.ts";
import { WithoutEach } from "../facets/without-each.tsx";
import { factTitle } from "../pql/fact-path.ts";
import { silentSince } from "../state/states.ts";
import type { Column, ColumnAction } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { nodeColumn } from "./columns.tsx";
import type { ListedNode } from "./node-row.ts";
import type { Nodes } from "./use-nodes.ts";
import { counted } from "../value/text.ts";

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
  const since = silentSince.value;
  const columns = useMemo(() => props.columns.flatMap((key) => nodeColumn(key, since) ?? []), [props.columns, since]);
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
