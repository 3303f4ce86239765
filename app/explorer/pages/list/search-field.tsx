import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { beginning, visibleText } from "../value/text.ts";

/** Time after the last key until the list is searched, ms. */
const PAUSE_MS = 250;

export interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The field that the key `/` focuses. */
  readonly isFilter?: boolean;
}

/** A field for text that is searched for while it is typed. */
export function SearchField({ label, value, onChange, isFilter = false }: SearchFieldProps): JSX.Element {
  const [typed, setTyped] = useState(value);
  const newest = useRef(value);
  useEffect(() => {
    // The address changed by something else than typing.
    if (value !== newest.current) setTyped(value);
    newest.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === newest.current) return undefined;
    const timer = setTimeout(() => {
      newest.current = typed;
      onChange(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      type="search"
      class="search-field"
      aria-label={label}
      placeholder={label}
      value={typed}
      data-filter={isFilter ? "" : undefined}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

export interface ChoiceProps {
  /** What is chosen: "status". */
  readonly label: string;
  /** Without choice: "all statuses". */
  readonly all: string;
  readonly chosen: string;
  /** Values with the number of items that have them. */
  readonly counts: ReadonlyMap<string, number>;
  readonly onChange: (value: string) => void;
}

/** Limits a list to the items with one value. */
export function Choice({ label, all, chosen, counts, onChange }: ChoiceProps): JSX.Element {
  const values = chosen === "" || counts.has(chosen) ? [...counts] : [[chosen, 0] as const, ...counts];
  return (
    <select
      class="list-choice"
      aria-label={label}
      value={chosen}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {values.map(([value, count]) => (
        <option key={value} value={value}>
          {visibleText(beginning(value, 80))} ({count.toLocaleString()})
        </option>
      ))}
    </select>
  );
}

/** How many items have each value, the commonest first. */
export function countValues(values: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Map([...counts].sort(([, one], [, other]) => other - one));
}
