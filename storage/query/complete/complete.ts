/**
 * Completion of a query that is being written: the parser returns the terminals that are possible next, the
 * declarations of the entities have the names, and the data have the values.
 */
import { entities, type Entity, isProjectable, isQueryable } from "../entities/index.ts";
import { pqlComparisons, pqlNullTests, spellings } from "../spellings.ts";
import { ALL_ENTITIES, FIELD, FUNCTIONS, OWN_ENTITIES } from "../pql/grammar.ts";
import { parseQuery } from "../pql/query.ts";
import { Scanner } from "../pql/scanner.ts";
import { type Context, contextAt } from "./context.ts";
import { type ValuePlace, valuePlaceOf } from "./values.ts";

/** A text that may come next. */
export interface Candidate {
  /** The text that replaces what was typed of it. */
  readonly text: string;
  readonly kind: "entity" | "field" | "function" | "operator" | "keyword" | "value";
}

/** What may come next, and where it begins. */
export interface Completion {
  /** The typed text between here and the cursor is the beginning of every candidate. */
  readonly start: number;
  readonly candidates: readonly Candidate[];
}

/** The values in the data. */
export interface Catalogue {
  /** The values of a field, in the order in which they are shown; undefined when they are not loaded. */
  values(place: ValuePlace): readonly string[] | undefined;
}

const nothing: Completion = { start: 0, candidates: [] };

/** The values that {@link completePql} needs at this place; undefined when it needs none. */
export function valuesWanted(text: string, cursor: number): ValuePlace | undefined {
  return placeAt(text, cursor)?.values;
}

/** The candidates at the cursor; none where the query has an error before it. */
export function completePql(text: string, cursor: number, catalogue: Catalogue): Completion {
  const place = placeAt(text, cursor);
  if (place === undefined) return nothing;
  const { start, context, expected, values } = place;
  const begun = text.slice(start, cursor);
  const known = values === undefined ? [] : (catalogue.values(values) ?? []);
  const all =
    context.text === undefined
      ? [...expected.flatMap((label) => candidatesFor(label, place)), ...valueCandidates(known, place)]
      : known.map((value) => closedText(value, context.text?.quote ?? '"', text.charAt(cursor)));
  const fitting = all.filter((candidate) => candidate.text.startsWith(begun));
  const unique = new Map(fitting.map((candidate) => [candidate.text, candidate]));
  return { start, candidates: [...unique.values()] };
}

interface Place {
  readonly start: number;
  readonly context: Context;
  /** Labels of the terminals that are possible at `start`. */
  readonly expected: readonly string[];
  readonly values: ValuePlace | undefined;
  /** The text before `start`. */
  readonly before: string;
}

/** The word that is being typed; a keyword of several words counts as one. */
const TYPED_WORD = /(?:\b(?:is not|is|group|order) )?[\w.?]*$/;

function placeAt(text: string, cursor: number): Place | undefined {
  const context = contextAt(text, cursor);
  if (context.text !== undefined) {
    const { start } = context.text;
    const values = valuePlaceOf(context, text.slice(0, start - 1), text.slice(start, cursor));
    return { start, context, expected: [], values, before: text.slice(0, start) };
  }
  const word = cursor - (TYPED_WORD.exec(text.slice(0, cursor))?.[0].length ?? 0);
  const before = text.slice(0, word);
  const scanner = new Scanner(before);
  try {
    parseQuery(scanner);
  } catch {
    return undefined;
  }
  const start = scanner.furthest;
  // A sign alone may be the beginning of an operator; anything else before the cursor is an error.
  if (start !== word && before.slice(start) !== "!") return undefined;
  const expected = [...scanner.expected, ...alsoPossible(scanner.expected, before)];
  const typed = text.slice(word, cursor);
  const values = expected.includes('"')
    ? valuePlaceOf(context, before, typed)
    : expected.includes(FIELD.label)
      ? partsPlace(context, typed)
      : undefined;
  return { start, context, expected, values, before };
}

/** What is possible besides what PuppetDB's messages list. */
function alsoPossible(expected: readonly string[], before: string): readonly string[] {
  if (expected.includes("nodes")) return OWN_ENTITIES;
  return expected.includes("}") && groupedBy.test(before) ? ["order by", "limit", "offset"] : [];
}

const groupedBy = /\bgroup by\b[^{}]*$/;

/** Parts of facts are completed as values of the field with their paths. */
function partsPlace({ entity }: Context, typed: string): ValuePlace | undefined {
  const [, root] = /^(facts|trusted)\./.exec(typed) ?? [];
  if (entity !== "inventory" || root === undefined) return undefined;
  return { entity, field: root, typed, narrowed: undefined };
}

/** The candidates for a terminal. */
function candidatesFor(label: string, place: Place): Candidate[] {
  const { entity: name } = place.context;
  const entity = name === undefined ? undefined : entities[name];
  if (label === FIELD.label) return entity === undefined ? [] : fieldCandidates(entity, place);
  if (isOneOf(ALL_ENTITIES, label)) {
    const isRelated =
      entity === undefined || /\bin\s*$/.test(place.before) || Object.hasOwn(entity.relationships, label);
    return isRelated ? [{ text: label, kind: "entity" }] : [];
  }
  if (isOneOf(FUNCTIONS, label)) return [{ text: `${label}(`, kind: "function" }];
  if (signs.has(label)) return [{ text: label, kind: "operator" }];
  // A field that is not a boolean is never true.
  if (label === "true" || label === "false") {
    const type = place.values === undefined ? undefined : entity?.fields[place.values.field]?.type;
    return type === "boolean" || type === "json" ? [{ text: label, kind: "value" }] : [];
  }
  return keywords.has(label) ? [{ text: label, kind: "keyword" }] : [];
}

const signs: ReadonlySet<string> = new Set([
  ...pqlComparisons.map(({ symbol }) => symbol),
  ...spellings.flatMap((operator) => (operator.form === "membership" ? [operator.pql] : [])),
]);
const keywords: ReadonlySet<string> = new Set([
  ...pqlNullTests.map(({ symbol }) => symbol),
  ...spellings.flatMap((operator) => (operator.form === "junction" && operator.ast !== "not" ? [operator.pql] : [])),
  "group by",
  "order by",
  "limit",
  "offset",
  "asc",
  "desc",
]);

function isOneOf(names: readonly string[], label: string): boolean {
  return names.includes(label);
}

function fieldCandidates(entity: Entity, { context, before }: Place): Candidate[] {
  const isOrder = /\border by\b[^{}]*$/.test(before);
  const isShown = context.part === "projection" || (groupedBy.test(before) && !isOrder);
  const names = Object.entries(entity.fields)
    .filter(([, field]) => (isShown ? isProjectable(field) : isQueryable(field)))
    .map(([name]) => name);
  const isCondition = context.part === "conditions" && !isOrder && !groupedBy.test(before);
  const functions = FUNCTIONS.filter((name) => isOrder && before.includes(`${name}(`));
  const more = entity.ofNodes && isCondition ? ["node_state"] : functions;
  return [...names, ...more].map((text) => ({ text, kind: "field" }));
}

function valueCandidates(known: readonly string[], { expected, values }: Place): Candidate[] {
  if (expected.includes(FIELD.label)) return known.map((text) => ({ text, kind: "field" }));
  return values === undefined ? [] : known.map((value) => ({ text: JSON.stringify(value), kind: "value" }));
}

/** The rest of a text with its closing quote, unless the quote is there already. */
function closedText(value: string, quote: string, next: string): Candidate {
  const escaped = quote === '"' ? JSON.stringify(value).slice(1, -1) : value.replaceAll("'", String.raw`\'`);
  return { text: next === quote ? escaped : escaped + quote, kind: "value" };
}
