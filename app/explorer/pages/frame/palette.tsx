import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { go } from "../address/address.ts";
import { useQuery } from "../data/use-query.ts";
import { Text } from "../value/value.tsx";
import { announce } from "./page.tsx";
import {
  directEntries,
  type Entry,
  everywhere,
  type Kind,
  kinds,
  queryOf,
  wantedKinds,
  withoutPrefix,
} from "./palette-entries.ts";

/** How long typing must pause before anything is searched, ms. */
const PAUSE_MS = 120;

/** Finds pages, nodes, classes, resources, facts and packages by a part of their name, and opens the chosen one. */
export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [typed, setTyped] = useState("");
  const [searched, setSearched] = useState("");
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useFound(searched);
  const direct = useMemo(() => directEntries(typed.trim()), [typed]);
  const others = typed.trim() === "" ? [] : [everywhere(typed.trim())];
  const entries = [...direct, ...found.entries, ...others];
  const count = entries.length - others.length;
  useEffect(() => {
    if (!found.isLoading && searched !== "") announce(`${count} found`);
  }, [found.isLoading, searched]);
  const index = Math.min(chosen, entries.length - 1);
  const open = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    go(entry.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((index + step + entries.length) % Math.max(entries.length, 1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(entries[index]);
    }
  };
  return (
    <>
      <input
        class="palette-input"
        // The dialog focuses the field with this attribute, else its first button.
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that was opened to type into
        autofocus
        role="combobox"
        aria-label="Search pages, nodes, classes, resources, facts and packages"
        aria-expanded={entries.length > 0}
        aria-controls="palette-entries"
        aria-activedescendant={index < 0 ? undefined : `palette-${index}`}
        autocomplete="off"
        spellcheck={false}
        placeholder="A name, or n: node, c: class, r: resource, f: fact, p: package"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-entries" class="palette-entries" role="listbox" aria-label="Found">
        {entries.map((entry, place) => (
          // The field above has the focus and handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Enter in the field opens the chosen entry
          <div
            key={`${entry.kind} ${entry.href}`}
            id={`palette-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === index}
            onClick={() => open(entry)}
          >
            <span class="muted palette-kind">{entry.kind}</span>
            <span class="wrap">
              <Text text={entry.label} />
            </span>
          </div>
        ))}
      </div>
      <p class="muted palette-state">{summary(typed.trim(), count, found.isLoading)}</p>
    </>
  );
}

function summary(typed: string, count: number, isLoading: boolean): string {
  if (isLoading) return "Searching";
  if (typed === "") return "Type a part of a name. Arrow keys choose, Enter opens.";
  return count === 0 ? "Nothing has such a name." : "";
}

/** One query for each kind; the next key aborts those under way. */
function useFound(searched: string): { entries: readonly Entry[]; isLoading: boolean } {
  const wanted = wantedKinds(searched);
  const text = withoutPrefix(searched);
  const results = kinds.map((kind) => {
    const runs = text.length >= 2 && wanted.includes(kind.key);
    // The number of kinds never changes, so that the order of hooks does not either.
    // oxlint-disable-next-line react-hooks/rules-of-hooks
    const loaded = useQuery<Record<string, unknown>>(runs ? queryOf(kind, text) : undefined);
    return { kind, runs, loaded };
  });
  return {
    entries: results.flatMap(({ kind, runs, loaded }) => (runs ? entriesOf(kind, loaded.value ?? []) : [])),
    isLoading: results.some(({ runs, loaded }) => runs && loaded.isLoading),
  };
}

function entriesOf(kind: Kind, rows: readonly Record<string, unknown>[]): Entry[] {
  return rows.map((row) => {
    const { label, href } = kind.entry(row);
    return { kind: kind.label, label, href };
  });
}
