import type { JSX } from "preact";
import { Icon } from "../icons/icon.tsx";
import { marked } from "../value/value.tsx";
import { type Facet, facetLabel, type Filter, valueText, without, writeFilter } from "./filters.ts";

export interface FilterChipsProps {
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
