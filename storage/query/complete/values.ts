import type { Json } from "../../json.ts";
import { entities, type Entity, isProjectable } from "../entities/index.ts";
import { pqlComparisons } from "../spellings.ts";
import type { Context } from "./context.ts";

/** A place for a value of a field. */
export interface ValuePlace {
  readonly entity: string;
  readonly field: string;
  /** What was typed of the value. */
  readonly typed: string;
  /** Only values of rows where another field has this value: a fact's values by its name, titles by their type. */
  readonly narrowed: { readonly field: string; readonly value: string } | undefined;
}

const symbols = pqlComparisons.filter(({ operand }) => operand !== "strings").map(({ symbol }) => literally(symbol));

/** The field of a comparison before its value, with the values of a list that are there already. */
const COMPARED = new RegExp(
  String.raw`([a-z_]+)\s*(?:(?:${symbols.join("|")})\s*|in\s*\[(?:\s*"[^"]*"\s*,|\s*'[^']*'\s*,)*\s*)$`,
);

/** Fields whose values are only useful together with the value of another field. */
const narrowing: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  facts: { value: "name" },
  fact_contents: { value: "name" },
  resources: { title: "type" },
};

/** The field that is compared with the value after `before`; undefined when there is none with known values. */
export function valuePlaceOf(context: Context, before: string, typed: string): ValuePlace | undefined {
  const { entity, part, from } = context;
  const field = COMPARED.exec(before)?.[1];
  if (entity === undefined || part !== "conditions" || field === undefined) return undefined;
  if (field !== "node_state" && entities[entity]?.fields[field] === undefined) return undefined;
  const by = narrowing[entity]?.[field];
  const value = by === undefined ? undefined : equated(by, before.slice(from));
  return { entity, field, typed, narrowed: by === undefined || value === undefined ? undefined : { field: by, value } };
}

/** The text that a field must equal by these conditions. */
function equated(field: string, conditions: string): string | undefined {
  const [, double, single] =
    new RegExp(String.raw`\b${field}\s*=\s*(?:"([^"\\]*)"|'([^'\\]*)')`).exec(conditions) ?? [];
  return double ?? single;
}

/** Values that are known without a query. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  node_state: ["active", "inactive", "any"],
};

/** For a field that occurs in many rows: an entity with fewer rows that has the same values. */
const smallerSources: readonly { readonly of: RegExp; readonly entity: string; readonly field: string }[] = [
  { of: /^(?!nodes\.).*\.certname$/, entity: "nodes", field: "certname" },
  { of: /\b(?:\w+_)?environment$/, entity: "environments", field: "name" },
  { of: /^(?:facts|fact_contents)\.name$/, entity: "fact_paths", field: "name" },
];

/** The source of the values of a place: a fixed list or a query. */
export type ValueSource =
  | { readonly kind: "known"; readonly values: readonly string[] }
  | {
      readonly kind: "query";
      /** AST whose rows are objects with the value under `column`. */
      readonly query: Json;
      readonly column: string;
      /** The value of a row as it is offered; undefined when it cannot be offered. */
      readonly read: (value: Json | undefined) => string | undefined;
    };

/**
 * The source of the values of a place, at most `limit` of them that begin with what was typed.
 * @returns undefined when the field has no values worth listing
 */
export function valueSource(place: ValuePlace, limit: number): ValueSource | undefined {
  const known = fixed[place.field];
  if (known !== undefined) return { kind: "known", values: known };
  if (place.entity === "inventory" && /^(?:facts|trusted)$/.test(place.field)) return factPaths(place, limit);
  const { entity: name, field } = smallerSources.find(({ of }) => of.test(`${place.entity}.${place.field}`)) ?? place;
  const entity = entities[name];
  const declared = entity?.fields[field];
  if (entity === undefined || declared === undefined || !isProjectable(declared)) return undefined;
  if (declared.type !== "string" && declared.type !== "json") return undefined;
  // Without the name of a fact, these would be the values of all facts.
  if (narrowing[name]?.[field] !== undefined && place.narrowed === undefined) return undefined;
  return {
    kind: "query",
    query: grouped(entity, field, conditions({ ...place, entity: name, field }, declared.type === "string"), limit),
    column: field,
    read: (value) => (typeof value === "string" ? value : undefined),
  };
}

function conditions({ field, typed, narrowed }: ValuePlace, isText: boolean): Json[] {
  return [
    ...(narrowed === undefined ? [] : [["=", narrowed.field, narrowed.value]]),
    ...(isText && typed !== "" ? [["~", field, `^${literally(typed)}`]] : []),
  ];
}

/** Paths of facts, written as fields with dots. */
function factPaths({ field, typed }: ValuePlace, limit: number): ValueSource | undefined {
  const [, name = ""] = /^(?:facts|trusted)\.(\w*)/.exec(typed) ?? [];
  const isRoot = field === "facts";
  const filter: Json[] = isRoot ? [["~", "name", `^${literally(name)}`]] : [["=", "name", field]];
  const entity = entities["fact_paths"];
  if (entity === undefined) return undefined;
  return {
    kind: "query",
    query: grouped(entity, "path", filter, limit),
    column: "path",
    read: (path) => (Array.isArray(path) ? dotted(isRoot ? [field, ...path] : path) : undefined),
  };
}

/** A path as it is written in a query; undefined for one that PQL cannot express. */
function dotted(path: readonly Json[]): string | undefined {
  let text = "";
  for (const part of path) {
    if (typeof part === "string" && /^[\w-]+$/.test(part)) text += text === "" ? part : `.${part}`;
    else if (typeof part === "number") text += `[${part}]`;
    else return undefined;
  }
  return text;
}

function grouped(entity: Entity, field: string, clauses: readonly Json[], limit: number): Json {
  const [only] = clauses;
  const filter = only === undefined ? [] : [clauses.length === 1 ? only : ["and", ...clauses]];
  return [
    "from",
    entity.name,
    ["extract", [field], ...filter, ["group_by", field]],
    ["order_by", [field]],
    ["limit", limit],
  ];
}

/** A regular expression that matches only this text. */
function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
