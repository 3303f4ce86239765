import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { marked } from "../value/value.tsx";
import {
  choiceOf,
  chooseAlso,
  chooseOnly,
  exclude,
  type Facet,
  type FacetValue,
  type Filter,
  type FilterValue,
  valueText,
} from "./filters.ts";

export interface FacetValuesProps {
  readonly facet: Facet;
  readonly values: readonly FacetValue[];
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
}

type Choice = (filters: readonly Filter[], field: string, value: FilterValue) => readonly Filter[];

/** The choice that the pressed keys select. */
function choiceFor({ ctrlKey, metaKey, altKey }: MouseEvent | KeyboardEvent): Choice {
  if (altKey) return exclude;
  return ctrlKey || metaKey ? chooseAlso : chooseOnly;
}

/** Values with a bar and a count. Tab moves to the list, arrow keys move in it; Enter, Ctrl-Enter, Alt-Enter choose. */
export function FacetValues({ facet, values, filters, onFilters }: FacetValuesProps): JSX.Element {
  const { field, show } = facet;
  const list = useRef<HTMLUListElement>(null);
  const [reached, setReached] = useState(0);
  const most = Math.max(1, ...values.map(({ count }) => count));
  const focusable = Math.min(reached, values.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      const next = Math.min(values.length - 1, Math.max(0, focusable + by));
      setReached(next);
      list.current?.querySelectorAll<HTMLElement>(".facet-value")[next]?.focus();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.altKey)) {
      const value = values[focusable]?.value;
      if (value !== undefined) onFilters(choiceFor(event)(filters, field, value));
    } else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moves between the buttons inside
    <ul ref={list} class="facet-values" onKeyDown={onKeyDown}>
      {values.map(({ value, count }, at) => {
        const choice = choiceOf(filters, field, value);
        const text = valueText(value);
        const apply = (chosen: Choice): void => {
          setReached(at);
          onFilters(chosen(filters, field, value));
        };
        return (
          <li key={`${typeof value} ${text}`} class={choice === undefined ? undefined : `facet-${choice}`}>
            <button
              type="button"
              class="facet-value"
              tabIndex={at === focusable ? 0 : -1}
              aria-pressed={choice === "shown"}
              title={`${text}\nClick: only this. Ctrl-click: also this. Alt-click: not this.`}
              onClick={(event) => apply(choiceFor(event))}
            >
              <span class="facet-text">
                <bdi class={value === null ? "muted" : undefined}>{show?.(value) ?? marked(text)}</bdi>
                {choice === "excluded" ? <span class="visually-hidden"> (left out)</span> : null}
              </span>
              <span class="facet-count">{count.toLocaleString()}</span>
              <span class="facet-bar" style={{ width: `${(100 * count) / most}%` }} aria-hidden="true" />
            </button>
            <span class="facet-choices">
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Also ${text}`}
                title="Also this"
                onClick={() => apply(chooseAlso)}
              >
                +
              </button>
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Not ${text}`}
                title="Not this"
                onClick={() => apply(exclude)}
              >
                −
              </button>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
