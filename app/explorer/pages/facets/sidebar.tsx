import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { useFacets } from "../data/use-facets.ts";
import { Problem } from "../frame/panel.tsx";
import { useHeightProperty } from "../frame/use-height.ts";
import { type Facet, type FacetedRows, facetLabel, type Filter, writeFilter } from "./filters.ts";
import { FacetPanel } from "./facet-panel.tsx";

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
