import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { go } from "../address/address.ts";
import { useQuery } from "../data/use-query.ts";
import { Combobox } from "../filter-line/combobox.tsx";
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
  return (
    <>
      <Combobox
        isInline
        label="Search pages, nodes, classes, resources, facts and packages"
        placeholder="A name, or n: node, c: class, r: resource, f: fact, p: package"
        value={typed}
        onInput={setTyped}
        choosesFirst
        choices={entries.map(({ kind, label, href }) => ({
          key: `${kind} ${href}`,
          content: (
            <>
              <span class="muted">{kind}</span>
              <span class="wrap">
                <Text text={label} />
              </span>
            </>
          ),
          choose: () => {
            onClose();
            go(href);
          },
        }))}
      />
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
