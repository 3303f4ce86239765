import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { type Entity, entities } from "#storage/query/entities/index.ts";
import { SQL_FUNCTIONS, SQL_KEYWORDS } from "./sql-words.ts";

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
