import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { isObject, type Json } from "#storage/json.ts";
import { type Candidate, completePql, valuesWanted } from "#storage/query/complete/complete.ts";
import { type ValuePlace, valueSource } from "#storage/query/complete/values.ts";
import { entities, type Entity } from "#storage/query/entities/index.ts";
import { fetchJson } from "../data/fetch-json.ts";

/** Words of SQL that are coloured and suggested. */
export const SQL_KEYWORDS: readonly string[] = [
  ..."SELECT FROM WHERE GROUP BY ORDER LIMIT OFFSET JOIN LEFT INNER ON USING AND OR NOT IN IS NULL AS DISTINCT".split(
    " ",
  ),
  ..."CASE WHEN THEN ELSE END LIKE ILIKE BETWEEN EXISTS UNION ALL HAVING WITH ASC DESC TRUE FALSE INTERVAL".split(" "),
  ..."OVER PARTITION EXCEPT INTERSECT CROSS FULL RIGHT OUTER CAST FILTER QUALIFY UNNEST LATERAL".split(" "),
];

/** Functions that are suggested. */
const SQL_FUNCTIONS: readonly string[] = [
  ..."count sum min max avg median mode string_agg list coalesce lower upper length round".split(" "),
  ..."date_trunc now strftime regexp_matches regexp_extract json_extract json_extract_string unnest".split(" "),
];

/** A suggestion. */
interface Suggestion {
  readonly label: string;
  readonly detail: string;
}

/** What may come next in SQL: views behind FROM and JOIN, else columns of the views that are named, functions, keywords. */
export function completeSql({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const text = state.doc.toString();
  const before = text.slice(0, pos);
  const [word = ""] = /[\w.]*$/.exec(before) ?? [];
  if ((!explicit && word === "") || isInText(before)) return null;
  const [qualifier, part] = word.includes(".")
    ? [word.slice(0, word.lastIndexOf(".")), word.slice(word.lastIndexOf(".") + 1)]
    : [undefined, word];
  const options = suggestionsFor(text, before.slice(0, before.length - word.length), qualifier).filter(({ label }) =>
    label.toLowerCase().startsWith(part.toLowerCase()),
  );
  return options.length === 0 ? null : { from: pos - part.length, to: pos, filter: false, options };
}

/** Whether a text or a comment is open. */
function isInText(before: string): boolean {
  const rest = before.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*\n/g, " ");
  return /['"]|--/.test(rest);
}

function suggestionsFor(text: string, before: string, qualifier: string | undefined): Suggestion[] {
  const named = namedViews(text);
  if (qualifier !== undefined) return columnsOf(named.get(qualifier));
  if (/\b(?:from|join)\s+$/i.test(before) || /\bfrom\s[^;]*,\s*$/i.test(lastClause(before))) {
    return Object.keys(entities).map((label) => ({ label, detail: "view" }));
  }
  const columns = [...new Set(named.values())].flatMap(columnsOf);
  return [
    ...columns.filter(({ label }, at) => columns.findIndex((other) => other.label === label) === at),
    ...SQL_FUNCTIONS.map((label) => ({ label, detail: "function" })),
    ...SQL_KEYWORDS.map((label) => ({ label, detail: "" })),
  ];
}

/** The text from the last FROM on, if no other clause began since. */
function lastClause(before: string): string {
  return /\bfrom\b(?![\s\S]*\b(?:select|from|where|group|order|having|limit|on)\b)[\s\S]*$/i.exec(before)?.[0] ?? "";
}

/** Views behind FROM and JOIN, by their names and aliases. */
function namedViews(text: string): Map<string, Entity> {
  const named = new Map<string, Entity>();
  for (const [, name = "", alias] of text.matchAll(/\b(?:from|join)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/gi)) {
    const entity = Object.hasOwn(entities, name) ? entities[name] : undefined;
    if (entity === undefined) continue;
    named.set(name, entity);
    if (alias !== undefined && !SQL_KEYWORDS.includes(alias.toUpperCase())) named.set(alias, entity);
  }
  return named;
}

function columnsOf(entity: Entity | undefined): Suggestion[] {
  return Object.entries(entity?.fields ?? {})
    .filter(([, { projectable }]) => projectable !== false)
    .map(([label, { type }]) => ({ label, detail: type }));
}

const MOST_VALUES = 50;

/** What may come next at the cursor: names by the parser and the declarations, values by queries. */
export async function completeQuery(context: CompletionContext): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const { pos, explicit } = context;
  const place = valuesWanted(text, pos);
  const inText = place !== undefined && /["'][^"']*$/.test(text.slice(0, pos));
  // Without a beginning a list would open after each space, and Enter would choose from it.
  if (!explicit && !inText && !/[\w.?]$/.test(text.slice(0, pos))) return null;
  const values = place === undefined ? undefined : await valuesOf(place, context);
  if (context.aborted) return null;
  const { start, candidates } = completePql(text, pos, { values: () => values });
  if (candidates.length === 0) return null;
  return { from: start, to: pos, filter: false, options: candidates.map((candidate) => option(candidate)) };
}

const details: Partial<Readonly<Record<Candidate["kind"], string>>> = {
  entity: "entity",
  function: "function",
  keyword: "",
  operator: "",
};

function option({ text, kind }: Candidate): Completion {
  const types = kind === "field" ? typesOf(text) : undefined;
  return { label: text, detail: types ?? details[kind] ?? "" };
}

/** The type of a field, where it is the same wherever the field is. */
function typesOf(name: string): string | undefined {
  const types = new Set(Object.values(entities).flatMap((entity) => entity.fields[name]?.type ?? []));
  return types.size === 1 ? [...types][0] : undefined;
}

const known = new Map<string, readonly string[]>();

async function valuesOf(place: ValuePlace, context: CompletionContext): Promise<readonly string[] | undefined> {
  const source = valueSource(place, MOST_VALUES);
  if (source === undefined || source.kind === "known") return source?.values;
  const query = JSON.stringify(source.query);
  const kept = known.get(query);
  if (kept !== undefined) return kept;
  const controller = new AbortController();
  context.addEventListener("abort", () => controller.abort());
  try {
    const { value } = await fetchJson({ path: "/pdb/query/v4", parameters: { query } }, controller.signal);
    const found = suggestedRows(value).flatMap((row) => source.read(row[source.column]) ?? []);
    if (known.size > 200) known.clear();
    known.set(query, found);
    return found;
  } catch {
    // Without values there are still names.
    return undefined;
  }
}

function suggestedRows(value: Json): { readonly [key: string]: Json }[] {
  return Array.isArray(value) ? value.filter((row) => isObject(row)) : [];
}
