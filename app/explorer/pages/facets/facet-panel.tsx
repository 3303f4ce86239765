import type { Facet as FacetAnswer } from "#storage/query/facets/answer.ts";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { marked } from "../value/value.tsx";
import {
  choiceOf,
  chooseAlso,
  chooseOnly,
  exclude,
  type Facet,
  type FacetedRows,
  type FacetValue,
  type Filter,
  type FilterValue,
  sameValue,
  valueText,
  writeFilter,
} from "./filters.ts";
import { useFacets } from "../data/use-query.ts";

interface FacetValuesProps {
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

export interface FacetPanelProps {
  readonly facet: Facet;
  /** For the search in this facet. */
  readonly rows: FacetedRows;
  /** Undefined until they are there. */
  readonly counts: FacetAnswer | undefined;
  readonly isFailed: boolean;
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  readonly onRemove: (() => void) | undefined;
}

/** Values shown before "more". */
const FEW = 10;
const MANY = 100;
const TYPING_MS = 250;

/** One facet: its values, a search in them when there are many, rows with others and without value. */
export function FacetPanel(props: FacetPanelProps): JSX.Element {
  const { facet, rows, filters, onFilters, onRemove } = props;
  const [isSearching, setIsSearching] = useState(false);
  const [typed, setTyped] = useState("");
  const [showsMore, setShowsMore] = useState(false);
  const like = useLate(typed.trim());
  const own = useFacets(
    like === "" && !showsMore
      ? undefined
      : {
          name: `Values of ${facet.label}`,
          ...rows,
          facets: [[facet.field]],
          filters: filters.map(writeFilter),
          limit: showsMore ? MANY : FEW,
          like: like === "" ? undefined : like,
        },
  );
  const counts = like === "" && !showsMore ? props.counts : (own.value?.facets[0] ?? props.counts);
  const values = counts === undefined ? [] : listed(facet, counts, filters);
  const isLong = (props.counts?.distinct ?? 0) > FEW;
  return (
    <section class="facet" aria-label={facet.label}>
      <header>
        <h2>
          <bdi>{marked(facet.label)}</bdi>
        </h2>
        {isLong ? (
          <button
            type="button"
            class="tool"
            aria-label={`Search in ${facet.label}`}
            aria-expanded={isSearching}
            onClick={() => {
              setIsSearching(!isSearching);
              setTyped("");
            }}
          >
            <Icon name="search" />
          </button>
        ) : null}
        {onRemove === undefined ? null : (
          <button type="button" class="tool" aria-label={`Remove the facet ${facet.label}`} onClick={onRemove}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {isSearching ? (
        <input
          type="search"
          class="facet-search"
          aria-label={`Search in ${facet.label}`}
          value={typed}
          ref={(element) => {
            if (element !== null && typed === "") element.focus();
          }}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
      {counts === undefined && !props.isFailed ? <div class="skeleton" aria-hidden="true" /> : null}
      <FacetValues facet={facet} values={values} filters={filters} onFilters={onFilters} />
      {counts === undefined ? null : (
        <p class="facet-rest muted">
          {counts.distinct === 0 && values.length === 0 ? "no values" : null}
          {counts.others > 0 ? `others ${counts.others.toLocaleString()} ` : null}
          {isLong && like === "" ? (
            <button type="button" class="plain" onClick={() => setShowsMore(!showsMore)}>
              {showsMore ? "less" : `of ${counts.distinct.toLocaleString()} values`}
            </button>
          ) : null}
        </p>
      )}
    </section>
  );
}

/** The counted values, rows without value, and what is chosen but does not occur. */
function listed(facet: Facet, counts: FacetAnswer, filters: readonly Filter[]): readonly FacetValue[] {
  const counted = counts.values.flatMap(({ value, count }) =>
    value === null ? [] : [{ value: value as FilterValue, count }],
  );
  const values = facet.order === undefined ? [...counted] : inOrder(counted, facet.order);
  if (counts.missing > 0 || choiceOf(filters, facet.field, null) !== undefined) {
    values.push({ value: null, count: counts.missing });
  }
  for (const { field, value } of filters) {
    if (field === facet.field && values.every((one) => !sameValue(one.value, value))) values.push({ value, count: 0 });
  }
  return values;
}

function inOrder(values: readonly FacetValue[], order: NonNullable<Facet["order"]>): FacetValue[] {
  const placeOf = ({ value }: FacetValue): number => {
    const place = order.findIndex((one) => sameValue(one, value));
    return place === -1 ? order.length : place;
  };
  return [...values].sort((one, other) => placeOf(one) - placeOf(other));
}

/** A text once typing rests. */
function useLate(text: string): string {
  const [late, setLate] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLate(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return late;
}
