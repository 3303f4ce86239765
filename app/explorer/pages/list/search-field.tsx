import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

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
