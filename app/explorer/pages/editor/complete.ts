import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { type Json, isObject } from "#storage/json.ts";
import { type Candidate, completePql, valuesWanted } from "#storage/query/complete/complete.ts";
import { type ValuePlace, valueSource } from "#storage/query/complete/values.ts";
import { entities } from "#storage/query/entities/index.ts";
import { fetchJson } from "../data/fetch-json.ts";

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
