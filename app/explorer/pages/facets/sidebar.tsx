import type { ComponentChildren, JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { Problem } from "../frame/panel.tsx";
import {
  countedValues,
  type Facet,
  type FacetedRows,
  facetLabel,
  type FacetValue,
  type Filter,
  type LocalFacet,
  valueText,
  without,
  writeFilter,
} from "./filters.ts";
import { FacetPanel, FacetValues } from "./facet-panel.tsx";
import { useFacets } from "../data/use-query.ts";
import { Icon } from "../icons/icon.tsx";
import { marked } from "../value/value.tsx";
import { useHeightProperty } from "../frame/page.tsx";

interface LocalSidebarProps<Row> {
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

interface FilterChipsProps {
  readonly filters: readonly Filter[];
  readonly facets: readonly Facet[];
  readonly onFilters: (filters: readonly Filter[]) => void;
}

/** The filters that apply; each can be removed. */
export function FilterChips({ filters, facets, onFilters }: FilterChipsProps): JSX.Element | null {
  if (filters.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters">
      {filters.map((filter) => {
        const facet = facets.find(({ field }) => field === filter.field);
        const label = facetLabel(filter.field, facets);
        return (
          <li key={writeFilter(filter)} class={filter.excludes ? "chip chip-excluded" : "chip"}>
            <span>
              <bdi>{marked(label)}</bdi>
              {filter.excludes ? ": not " : ": "}
              <bdi>{facet?.show?.(filter.value) ?? marked(valueText(filter.value))}</bdi>
            </span>
            <button
              type="button"
              aria-label={`Remove the filter ${label}: ${filter.excludes ? "not " : ""}${valueText(filter.value)}`}
              title="Remove"
              onClick={() => onFilters(without(filters, filter))}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
      {filters.length < 2 ? null : (
        <li>
          <button type="button" class="plain" onClick={() => onFilters([])}>
            Remove all
          </button>
        </li>
      )}
    </ul>
  );
}

export interface FacetSidebarProps extends FacetedRows {
  /** What the rows are: "Nodes". */
  readonly name: string;
  readonly facets: readonly Facet[];
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  /** Removes a facet that was added. */
  readonly onRemove?: (field: string) => void;
  readonly isRemovable?: (field: string) => boolean;
  /** After the facets: a way to add one. */
  readonly children?: ComponentChildren;
}

/**
 * The commonest values of several fields with their counts. A click shows only rows with that value, Ctrl-click also those,
 * Alt-click leaves them out.
 */
export function FacetSidebar(props: FacetSidebarProps): JSX.Element {
  const { name, entity, where, per, facets, filters, onFilters, children } = props;
  const rows = { entity, where, ...(per === undefined ? {} : { per }) };
  const added = filters.map(({ field }) => field).filter((field) => facets.every((facet) => facet.field !== field));
  const all = [...facets, ...[...new Set(added)].map((field) => ({ field, label: facetLabel(field, facets) }))];
  const loaded = useFacets({
    name: `${name}: values of the facets`,
    ...rows,
    facets: all.map(({ field }) => [field]),
    filters: filters.map(writeFilter),
  });
  return (
    <Sidebar filters={filters} isLoading={loaded.isLoading}>
      {loaded.error === undefined ? null : <Problem loaded={loaded} />}
      {all.map((facet) => (
        <FacetPanel
          key={facet.field}
          facet={facet}
          rows={rows}
          counts={loaded.value?.facets.find(({ fields }) => fields[0] === facet.field)}
          isFailed={loaded.error !== undefined}
          filters={filters}
          onFilters={onFilters}
          onRemove={props.isRemovable?.(facet.field) === true ? () => props.onRemove?.(facet.field) : undefined}
        />
      ))}
      {children}
    </Sidebar>
  );
}

export interface SidebarProps {
  readonly filters: readonly Filter[];
  readonly isLoading?: boolean;
  readonly children: ComponentChildren;
}

/** What is beside rows to filter them; on narrow screens it is folded behind a button. */
export function Sidebar({ filters, isLoading = false, children }: SidebarProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const element = useRef<HTMLElement>(null);
  useHeightProperty(element);
  return (
    <aside ref={element} class="facets sticks" aria-label="Filters" aria-busy={isLoading}>
      <button type="button" class="facets-fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? "Hide the filters" : `Filters${filters.length === 0 ? "" : ` (${filters.length})`}`}
      </button>
      <div class={isOpen ? "facets-list" : "facets-list facets-folded"}>{children}</div>
    </aside>
  );
}
