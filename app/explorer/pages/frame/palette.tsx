import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { go, href } from "../address/address.ts";
import { type PqlQuery, useQuery } from "../data/use-query.ts";
import { Combobox } from "../filter-line/combobox.tsx";
import { Text } from "../value/value.tsx";
import { announce } from "./page.tsx";
import { and, contains, query, workbenchHref } from "../pql/text.ts";
import { menu } from "./popup-menu.tsx";

/** Something to go to. */
interface Entry {
  /** "node", "page" */
  readonly kind: string;
  readonly label: string;
  readonly href: string;
}

/** A kind of thing that is found by a part of its name. */
interface Kind {
  /** Limits a search to this kind: `n:`. */
  readonly key: string;
  readonly label: string;
  readonly entity: string;
  readonly select: readonly string[];
  /** The field that is searched. */
  readonly field: string;
  readonly where?: string;
  /** Whether rows have to be grouped, because several have the same name. */
  readonly grouped: boolean;
  readonly entry: (row: Readonly<Record<string, unknown>>) => { readonly label: string; readonly href: string };
}

/** Entries of a kind that are shown. */
const LIMIT = 6;

/** In the order in which they are shown. */
const kinds: readonly Kind[] = [
  {
    key: "n",
    label: "node",
    entity: "nodes",
    select: ["certname"],
    field: "certname",
    grouped: false,
    entry: ({ certname }) => ({ label: String(certname), href: href("node", [String(certname)]) }),
  },
  {
    key: "c",
    label: "class",
    entity: "resources",
    select: ["title"],
    field: "title",
    where: 'type = "Class"',
    grouped: true,
    entry: ({ title }) => ({ label: String(title), href: href("classes", [], { class: String(title) }) }),
  },
  {
    key: "r",
    label: "resource",
    entity: "resources",
    select: ["type", "title"],
    field: "title",
    where: '!(type = "Class")',
    grouped: true,
    entry: ({ type, title }) => ({
      label: `${String(type)}[${String(title)}]`,
      href: href("resource", [], { type: String(type), title: String(title) }),
    }),
  },
  {
    key: "f",
    label: "fact",
    entity: "facts",
    select: ["name"],
    field: "name",
    grouped: true,
    entry: ({ name }) => ({ label: String(name), href: href("fact", [], { path: String(name) }) }),
  },
  {
    key: "p",
    label: "package",
    entity: "packages",
    select: ["package_name"],
    field: "package_name",
    grouped: true,
    entry: ({ package_name: name }) => ({
      label: String(name),
      href: href("package", [], { name: String(name) }),
    }),
  },
];

/** The text without the prefix of a kind. */
function withoutPrefix(typed: string): string {
  return typed.replace(/^[a-z]:\s*/, "");
}

/** Keys of the kinds that a text searches: that of its prefix, or all. */
function wantedKinds(typed: string): readonly string[] {
  const [, prefix] = /^([a-z]):/.exec(typed) ?? [];
  const all = kinds.map(({ key }) => key);
  return prefix !== undefined && all.includes(prefix) ? [prefix] : all;
}

/** The query for things whose name has a text in it, whatever the case. */
function queryOf({ label, entity, select, field, where, grouped }: Kind, text: string): PqlQuery {
  const pql = query(entity, {
    select,
    where: and(where, contains(text, field)),
    groupBy: grouped ? select : [],
  });
  return {
    name: `${label} by name`,
    pql,
    orderBy: select.map((name) => ({ field: name, order: "asc" as const })),
    limit: LIMIT,
  };
}

/** Leads to the page that searches values, messages and logs as well. */
function everywhere(typed: string): Entry {
  return { kind: "search", label: `Everything with ${typed}`, href: href("search", [], { q: withoutPrefix(typed) }) };
}

/** What a text leads to without any query: pages, a report by its hash, a query. */
function directEntries(typed: string): readonly Entry[] {
  const words = typed.toLowerCase();
  const found: Entry[] = [];
  if (/^[0-9a-f]{40}$/.test(words)) {
    found.push({ kind: "report", label: words, href: href("report", [words]) });
  }
  if (/^[a-z_]+\s*(?:\[[^\]]*\]\s*)?\{/.test(words)) {
    found.push({ kind: "query", label: `Run: ${typed}`, href: workbenchHref(typed) });
  }
  const places = [
    ...menu,
    { page: "search", label: "Search" },
    { page: "wall", label: "Wall" },
    { page: "help", label: "Help" },
  ] as const;
  for (const { page, label } of places) {
    if (label.toLowerCase().includes(words)) found.push({ kind: "page", label, href: href(page) });
  }
  return found;
}

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
