import { signal } from "@preact/signals";
import { stored } from "../data/stored.ts";
import { type QueryLanguage, queryLanguages } from "../editor/query-language.ts";

/** A query that was run in this browser. */
export interface PastQuery {
  readonly lang: QueryLanguage;
  readonly text: string;
  /** Ms since 1970, by the browser's clock. */
  readonly at: number;
  readonly rows: number;
  readonly ms: number;
}

const MOST = 100;
/** Longer queries are not remembered: browsers keep few megabytes per site. Characters. */
const LONGEST = 20_000;

const OFF = "off";

/** `off` when remembering is switched off. */
const storedQueries = stored<readonly PastQuery[] | typeof OFF>("query-history", {
  read: (value) => (value === OFF ? OFF : valid(value)),
  fallback: [],
});

/** The newest first; undefined when remembering is switched off. */
export const pastQueries = signal<readonly PastQuery[] | undefined>(unlessOff(storedQueries.read()));

/** Remembers a query; the same one is remembered once. */
export function remember(query: PastQuery): void {
  const known = pastQueries.peek();
  if (known === undefined || query.text.length > LONGEST) return;
  store(withQuery(known, query));
}

/** The newest first, each text once, at most 100. */
export function withQuery(known: readonly PastQuery[], query: PastQuery): PastQuery[] {
  return [query, ...known.filter(({ lang, text }) => lang !== query.lang || text !== query.text)].slice(0, MOST);
}

/** Forgets all queries. */
export function forgetQueries(): void {
  store([]);
}

/** Switches remembering on or off; off forgets what was remembered. */
export function switchHistory(on: boolean): void {
  store(on ? [] : undefined);
}

function store(queries: readonly PastQuery[] | undefined): void {
  pastQueries.value = queries;
  storedQueries.write(queries ?? OFF);
}

function unlessOff(queries: readonly PastQuery[] | typeof OFF): readonly PastQuery[] | undefined {
  return queries === OFF ? undefined : queries;
}

/** Only what is as it should be: other versions may have written it. */
function valid(stored: unknown): PastQuery[] {
  if (!Array.isArray(stored)) return [];
  return (stored as Partial<PastQuery>[]).filter(
    (one): one is PastQuery =>
      queryLanguages.some((lang) => lang === one.lang) &&
      typeof one.text === "string" &&
      typeof one.at === "number" &&
      typeof one.rows === "number" &&
      typeof one.ms === "number",
  );
}
