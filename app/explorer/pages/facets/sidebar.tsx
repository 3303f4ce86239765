import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../frame/waiting.tsx";
import type { Facet } from "./facet.ts";
import { FacetPanel } from "./facet-panel.tsx";
import type { Filter } from "./filters.ts";
import { useFacets } from "./use-facets.ts";
import "./sidebar.css";

export interface FacetSidebarProps {
  /** What the rows are: "Nodes". */
  readonly name: string;
  /** PQL without projection, and without the filters of the facets: `nodes{ … }`. */
  readonly query: string;
  readonly facets: readonly Facet[];
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  /** Counts different values of this field instead of rows. */
  readonly per?: string;
  /** Removes a facet that was added. */
  readonly onRemove?: (field: string) => void;
  readonly isRemovable?: (field: string) => boolean;
  /** After the facets: a way to add one. */
  readonly children?: ComponentChildren;
}

/**
 * The commonest values of several fields with their counts. A click shows only rows with that value, Ctrl-click also those,
 * Alt-click leaves them out. On narrow screens it is folded behind a button.
 */
export function FacetSidebar(props: FacetSidebarProps): JSX.Element {
  const { name, query, facets, filters, onFilters, per, children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const added = filters.map(({ field }) => field).filter((field) => facets.every((facet) => facet.field !== field));
  const all = [...facets, ...[...new Set(added)].map((field) => ({ field, label: field }))];
  const loaded = useFacets({
    name: `${name}: values of the facets`,
    query,
    fields: all.map(({ field }) => field),
    filters,
    ...(per === undefined ? {} : { per }),
  });
  return (
    <aside class="facets" aria-label="Filters" aria-busy={loaded.isLoading}>
      <button type="button" class="facets-fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? "Hide the filters" : `Filters${filters.length === 0 ? "" : ` (${filters.length})`}`}
      </button>
      <div class={isOpen ? "facets-list" : "facets-list facets-folded"}>
        {loaded.error === undefined ? null : <Problem loaded={loaded} />}
        {all.map((facet) => (
          <FacetPanel
            key={facet.field}
            facet={facet}
            query={query}
            counts={loaded.value?.facets.find(({ fields }) => fields[0] === facet.field)}
            isFailed={loaded.error !== undefined}
            filters={filters}
            onFilters={onFilters}
            per={per}
            onRemove={props.isRemovable?.(facet.field) === true ? () => props.onRemove?.(facet.field) : undefined}
          />
        ))}
        {children}
      </div>
    </aside>
  );
}
