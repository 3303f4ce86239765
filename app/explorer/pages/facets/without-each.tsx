import type { JSX } from "preact";
import { useFacets } from "../data/use-facets.ts";
import { marked } from "../value/value.tsx";
import { type Facet, type FacetedRows, facetLabel, type Filter, valueText, without, writeFilter } from "./filters.ts";

export interface WithoutEachProps {
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
export function WithoutEach(props: WithoutEachProps): JSX.Element {
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
