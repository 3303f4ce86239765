import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { marked } from "../value/value.tsx";
import type { Facet, FacetValue } from "./facet.ts";
import { FacetValues } from "./facet-values.tsx";
import { type Filter, type FilterValue, sameValue, valueText } from "./filters.ts";
import "./sidebar.css";

/** A facet of rows that are in the browser. */
export interface LocalFacet<Row> extends Facet {
  readonly valueOf: (row: Row) => FilterValue;
}

export interface LocalSidebarProps<Row> {
  readonly rows: readonly Row[];
  readonly facets: readonly LocalFacet<Row>[];
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
}

/** Values shown before "more". */
const FEW = 10;
const MANY = 200;

/** Facets of rows that are in the browser; filters on a facet's own field do not count for it. */
export function LocalSidebar<Row>({ rows, facets, filters, onFilters }: LocalSidebarProps<Row>): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <aside class="facets" aria-label="Filters">
      <button type="button" class="facets-fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? "Hide the filters" : `Filters${filters.length === 0 ? "" : ` (${filters.length})`}`}
      </button>
      <div class={isOpen ? "facets-list" : "facets-list facets-folded"}>
        {facets.map((facet) => {
          const values = counted(rows, facet, facets, filters);
          // A value that all rows have selects nothing.
          if (values.length < 2 && filters.every(({ field }) => field !== facet.field)) return null;
          return <LocalPanel key={facet.field} facet={facet} values={values} filters={filters} onFilters={onFilters} />;
        })}
      </div>
    </aside>
  );
}

interface LocalPanelProps<Row> {
  readonly facet: LocalFacet<Row>;
  readonly values: readonly FacetValue[];
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
}

function LocalPanel<Row>({ facet, values, filters, onFilters }: LocalPanelProps<Row>): JSX.Element {
  const [typed, setTyped] = useState("");
  const [showsMore, setShowsMore] = useState(false);
  const needle = typed.trim().toLowerCase();
  const found = useMemo(
    () => values.filter(({ value }) => needle === "" || valueText(value).toLowerCase().includes(needle)),
    [values, needle],
  );
  return (
    <section class="facet" aria-label={facet.label}>
      <header>
        <h2>
          <bdi>{marked(facet.label)}</bdi>
        </h2>
      </header>
      {values.length <= FEW ? null : (
        <input
          type="search"
          class="facet-search"
          aria-label={`Search in ${facet.label}`}
          placeholder="Search"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <FacetValues
        facet={facet}
        values={found.slice(0, showsMore ? MANY : FEW)}
        filters={filters}
        onFilters={onFilters}
      />
      {found.length <= FEW ? null : (
        <p class="facet-rest">
          <button type="button" class="plain" onClick={() => setShowsMore(!showsMore)}>
            {showsMore ? "less" : `of ${found.length.toLocaleString()} values`}
          </button>
        </p>
      )}
    </section>
  );
}

/** The rows that filters leave. */
export function filteredRows<Row>(
  rows: readonly Row[],
  facets: readonly LocalFacet<Row>[],
  filters: readonly Filter[],
): readonly Row[] {
  const tests = facets.flatMap((facet) => {
    const own = filters.filter(({ field }) => field === facet.field);
    return own.length === 0 ? [] : [testOf(facet, own)];
  });
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
}

function testOf<Row>({ valueOf }: LocalFacet<Row>, filters: readonly Filter[]): (row: Row) => boolean {
  const shown = filters.filter(({ excludes }) => !excludes);
  const excluded = filters.filter(({ excludes }) => excludes);
  return (row) => {
    const value = valueOf(row);
    const isIn = (some: readonly Filter[]): boolean => some.some((filter) => sameValue(filter.value, value));
    return (shown.length === 0 || isIn(shown)) && !isIn(excluded);
  };
}

function counted<Row>(
  rows: readonly Row[],
  facet: LocalFacet<Row>,
  facets: readonly LocalFacet<Row>[],
  filters: readonly Filter[],
): readonly FacetValue[] {
  const others = filteredRows(
    rows,
    facets,
    filters.filter(({ field }) => field !== facet.field),
  );
  const counts = new Map<FilterValue, number>();
  for (const row of others) {
    const value = facet.valueOf(row);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  for (const { field, value } of filters) if (field === facet.field && !counts.has(value)) counts.set(value, 0);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || valueText(one.value).localeCompare(valueText(other.value)));
}
