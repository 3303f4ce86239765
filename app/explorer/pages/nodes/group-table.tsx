import type { Json } from "#storage/json.ts";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Sort } from "../address/codecs.ts";
import { shareText } from "../charts/axis.ts";
import type { Facet as CountedFacet } from "#storage/query/facets/answer.ts";
import {
  type Facet,
  type FacetedRows,
  facetLabel,
  type Filter,
  type FilterValue,
  valueText,
  writeFilter,
} from "../facets/filters.ts";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { counted, visibleText } from "../value/text.ts";
import { Value } from "../value/value.tsx";
import { useFacets } from "../data/use-query.ts";

export interface GroupTableProps {
  readonly rows: FacetedRows;
  /** Titles of fields. */
  readonly facets: readonly Facet[];
  readonly filters: readonly Filter[];
  /** One or two fields. */
  readonly fields: readonly string[];
  /** Shows the nodes of a group. */
  readonly onChoose: (filters: readonly Filter[]) => void;
}

interface Group {
  readonly values: readonly Json[];
  readonly count: number;
}

/** Most groups that are counted. */
const MOST = 1000;

/** How many nodes have each value of a field, or each pair of values of two. */
export function GroupTable({ rows, facets, filters, fields, onChoose }: GroupTableProps): JSX.Element {
  const [sort, setSort] = useState<Sort>({ field: "count", descending: true });
  const loaded = useFacets({
    name: `Nodes by ${fields.join(" and ")}`,
    ...rows,
    facets: [fields],
    filters: filters.map(writeFilter),
    limit: MOST,
  });
  const facet = loaded.value?.facets[0];
  const groups = useMemo(() => groupsOf(facet, fields.length), [facet]);
  const total = loaded.value?.total ?? 0;
  const columns = useMemo(
    () => groupColumns({ fields, facets, total, choose: (values) => onChoose(withGroup(filters, fields, values)) }),
    [fields.join(), facets, filters, total],
  );
  const source = useMemorySource(groups, { columns, sort, loaded });
  return (
    <>
      {facet === undefined ? null : (
        <p class="muted">
          {counted(groups.length, "group")}
          {facet.others > 0 ? ` shown, the largest; ${facet.others.toLocaleString()} nodes are in smaller ones` : null}
        </p>
      )}
      <DataTable
        name={`Nodes by ${fields.map((field) => visibleText(facetLabel(field, facets))).join(" and ")}`}
        columns={columns}
        source={source}
        sort={sort}
        onSort={setSort}
        onOpen={({ values }) => onChoose(withGroup(filters, fields, values))}
      />
    </>
  );
}

interface GroupColumnsOptions {
  readonly facets: readonly Facet[];
  readonly fields: readonly string[];
  /** Nodes in all groups. */
  readonly total: number;
  readonly choose: (values: readonly Json[]) => void;
}

function groupColumns({ fields, facets, total, choose }: GroupColumnsOptions): readonly Column<Group>[] {
  const values = fields.map((field, at): Column<Group> => {
    const show = facets.find((facet) => facet.field === field)?.show;
    return {
      key: field,
      title: facetLabel(field, facets),
      width: 200,
      sort: field,
      value: (group) => sortValue(group.values[at]),
      cell: ({ values }) => {
        const value = values[at] ?? null;
        if (value === null) return <span class="muted">none</span>;
        return show?.(value as FilterValue) ?? <Value value={value} limit={200} />;
      },
    };
  });
  const count: Column<Group> = {
    key: "count",
    title: "Nodes",
    width: 90,
    align: "end",
    sort: "count",
    value: (group) => group.count,
    cell: (group) => (
      <button
        type="button"
        class="plain"
        tabIndex={-1}
        aria-label={`Show ${group.count} nodes with ${group.values.map((value) => valueText(value)).join(", ")}`}
        onClick={() => choose(group.values)}
      >
        {group.count.toLocaleString()}
      </button>
    ),
  };
  const share: Column<Group> = {
    key: "share",
    title: "Share",
    width: 120,
    grows: true,
    cell: ({ count }) => (
      <span class="group-share">
        <span class="group-percent muted">{shareText(count, total)}</span>
        <span class="group-bar" style={{ width: `${total === 0 ? 0 : (100 * count) / total}%` }} />
      </span>
    ),
  };
  return [...values, count, share];
}

function groupsOf(facet: CountedFacet | undefined, fields: number): readonly Group[] {
  if (facet === undefined) return [];
  const groups = facet.values.map(({ value, count }) => ({
    values: fields > 1 && Array.isArray(value) ? value : [value],
    count,
  }));
  const none = { values: Array.from({ length: fields }, () => null), count: facet.missing };
  return facet.missing > 0 ? [...groups, none] : groups;
}

function sortValue(value: Json | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return valueText(value);
}

/** The filters that select a group: one for each of its fields. */
function withGroup(filters: readonly Filter[], fields: readonly string[], values: readonly Json[]): readonly Filter[] {
  const others = filters.filter(({ field }) => !fields.includes(field));
  return [
    ...others,
    ...fields.map((field, at) => ({ field, value: (values[at] ?? null) as FilterValue, excludes: false })),
  ];
}
