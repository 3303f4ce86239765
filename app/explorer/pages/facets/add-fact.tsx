import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { Combobox } from "../filter-line/combobox.tsx";
import { factField, type FactPath } from "../pql/fact-path.ts";
import { query } from "../pql/text.ts";
import { marked } from "../value/value.tsx";

interface PathRow {
  readonly path: FactPath;
  readonly type: string;
}

export interface AddFactProps {
  /** "Add a fact as a facet" */
  readonly label: string;
  /** Called with the fact as a field: `facts.os.name`. */
  readonly onAdd: (field: string) => void;
}

/** Paths that are searched, and that are offered. */
const MOST_PATHS = 10_000;
const OFFERED = 30;

/** Finds a fact by any part of its path. */
export function AddFact({ label, onAdd }: AddFactProps): JSX.Element {
  const [typed, setTyped] = useState("");
  const [isUsed, setIsUsed] = useState(false);
  const loaded = useQuery<PathRow>(
    isUsed
      ? { name: "Paths of all facts", pql: query("fact_paths", { select: ["path", "type"] }), limit: MOST_PATHS }
      : undefined,
  );
  const facts = useMemo(() => factsOf(loaded.value ?? []), [loaded.value]);
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : facts.filter(({ lower }) => words.every((word) => lower.includes(word)));
  const choices = found.slice(0, OFFERED).map(({ field, title, type }) => ({
    key: field,
    content: (
      <>
        <bdi>{marked(title)}</bdi> <span class="muted">{type}</span>
      </>
    ),
    choose: () => {
      setTyped("");
      onAdd(field);
    },
  }));
  return (
    <div onFocusIn={() => setIsUsed(true)}>
      <Combobox
        label={label}
        placeholder={`+ ${label}`}
        value={typed}
        choices={choices}
        choosesFirst
        onInput={setTyped}
      />
      {words.length > 0 && choices.length === 0 && !loaded.isLoading ? (
        <p class="muted">No fact has such a path.</p>
      ) : null}
    </div>
  );
}

interface Fact {
  readonly field: string;
  readonly title: string;
  readonly lower: string;
  readonly type: string;
}

/** Shorter paths first: those are meant more often. */
function factsOf(rows: readonly PathRow[]): readonly Fact[] {
  const facts = rows.flatMap(({ path, type }) => {
    const field = factField(path);
    if (field === undefined) return [];
    const title = field.slice("facts.".length);
    return [{ field, title, lower: title.toLowerCase(), type }];
  });
  return facts.sort((one, other) => one.title.length - other.title.length || one.title.localeCompare(other.title));
}
