import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { marked } from "../value/value.tsx";
import { countedValues, type FacetValue, type Filter, type LocalFacet, valueText } from "./filters.ts";
import { FacetValues } from "./facet-values.tsx";
import { Sidebar } from "./sidebar.tsx";

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
  return (
    <Sidebar filters={filters}>
      {facets.map((facet) => {
        const values = countedValues(rows, facet, facets, filters);
        // A value that all rows have selects nothing.
        if (values.length < 2 && filters.every(({ field }) => field !== facet.field)) return null;
        return <LocalPanel key={facet.field} facet={facet} values={values} filters={filters} onFilters={onFilters} />;
      })}
    </Sidebar>
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
