/**
 * DuckDB's SQL for the compiler: how a value of each type becomes JSON text, how patterns are matched, how parts of
 * documents are extracted.
 */
import { quotedText } from "../../engine/quoted-text.ts";
import type { RowLayout, ValueFormat } from "../../engine/row-layout.ts";
import type { Field, FieldType } from "../entities/index.ts";
import type { Regex } from "../../postgres/regex.ts";
import type { PathPart } from "../tree.ts";
import type { Scope } from "./scope.ts";

/** SQL of the JSON text of a column with values of this type; never NULL. */
export function jsonTextOf(
  type: FieldType,
  column: string,
  { serialized = false, required = false }: Pick<Field, "serialized" | "required"> = {},
): string {
  const text = serialized ? column : textOrNull(type, column);
  return required ? text : `coalesce(${text}, 'null')`;
}

function textOrNull(type: FieldType, column: string): string {
  switch (type) {
    case "string":
    case "array":
      return `to_json(${column})::VARCHAR`;
    case "timestamp":
      return `strftime(${column}, '"%Y-%m-%dT%H:%M:%S.%gZ"')`;
    case "boolean":
    case "numeric":
      return `${column}::VARCHAR`;
    default:
      return column;
  }
}

/**
 * SQL of a value that the engine's `json_object` writes as {@link jsonTextOf} does; undefined where it would differ.
 */
export function jsonValueOf(type: FieldType, column: string): string | undefined {
  if (type === "timestamp") return `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  return type === "string" || type === "array" || type === "boolean" || type === "numeric" ? column : undefined;
}

/** One column of a result. */
export interface Member {
  readonly key: string;
  /** SQL of its JSON text. */
  readonly json: string;
  /** SQL of its value, where `json_object` writes that correctly. */
  readonly plain?: string | undefined;
  /** SQL of its value, and how it is written outside of the engine; absent: the JSON text is used. */
  readonly outside?: { readonly sql: string; readonly as: ValueFormat } | undefined;
}

/**
 * One row of a result: `{"key":value,…}` from key and JSON text of each column. A key that is not a declared name was
 * written by the client and is passed as a parameter.
 */
export function jsonObject(scope: Scope, members: readonly Member[]): string {
  // The same text from fewer expressions, since each costs the planner some hundredths of a millisecond.
  if (members.length > 0 && members.every(({ key, plain }) => plain !== undefined && isName(key))) {
    const pairs = members.map(({ key, plain }) => `${quotedText(key)}, ${plain}`);
    return `json_object(${pairs.join(", ")})::VARCHAR`;
  }
  const parts = members.flatMap(({ key, json }, index) => {
    const head = `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`;
    return [isName(key) ? quotedText(head) : scope.value(head), json];
  });
  return `concat(${[...parts, quotedText("}")].join(", ")})`;
}

/** The same row, formatted outside of the engine: what to select, and how the text is made of it. */
export function layoutOf(members: readonly Member[]): {
  readonly select: readonly string[];
  readonly layout: RowLayout;
} {
  const columns = members.map(({ key, outside }, index) => ({
    before: `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`,
    as: outside?.as ?? ("json" as const),
  }));
  return { select: members.map(({ json, outside }) => outside?.sql ?? json), layout: { columns, after: "}" } };
}

/** SQL of the text that a layout makes of the columns with these names. */
export function rowSql({ columns, after }: RowLayout, names: readonly string[]): string {
  const types = { text: "string", json: "json", number: "numeric" } as const;
  const parts = columns.flatMap(({ before, as }, index) => [
    quotedText(before),
    jsonTextOf(types[as], names[index] ?? "NULL"),
  ]);
  return `concat(${[...parts, quotedText(after)].join(", ")})`;
}

function isName(key: string): boolean {
  return /^[a-z_0-9?]+$/.test(key);
}

/** Whether a text matches: by RE2 inside the engine if possible, by our own function where the pattern needs more. */
export function matchesSql(scope: Scope, text: string, regex: Regex): string {
  if (regex.engine === "re2") return `regexp_matches(${text}, ${scope.value(unoptimizedPattern(regex.pattern))})`;
  return `census_regexp(${text}, ${scope.value({ regexp: regex.regexp })})`;
}

/**
 * DuckDB turns a plain pattern into a search for a text, which is fast, but drops anchors in its middle and everything
 * before an empty group. It does not do so for a repetition, and repeating a whole pattern does not change where it
 * matches.
 */
function unoptimizedPattern(pattern: string): string {
  return /.\\A|\\z.|\(\?:\)/s.test(pattern) ? `(?:${pattern})+` : pattern;
}

/** A longer list is passed as one parameter, which the engine splits. */
export const MAX_INLINE_VALUES = 32;

/** SQL of a list of texts. One JSON text is bound in a tenth of the time of as many values. */
export function listSql(scope: Scope, values: readonly string[]): string {
  return `${scope.value(JSON.stringify(values.map((value) => value.toWellFormed())))}::JSON::VARCHAR[]`;
}

/** SQL of whether a column is one of these texts. */
export function inListSql(scope: Scope, column: string, values: readonly string[]): string {
  if (values.length === 0) return "false";
  if (values.length > MAX_INLINE_VALUES) return `${column} IN (SELECT unnest(${listSql(scope, values)}))`;
  return `${column} IN (${values.map((value) => scope.value(value)).join(", ")})`;
}

/**
 * The path in the syntax of the engine: a JSON path, which distinguishes keys from indexes, or a JSON pointer, in which
 * digits are an array's index or a key, and which is the only one that can spell an empty key.
 */
export function jsonPath(path: readonly PathPart[]): string {
  const needsPointer = path.some((part) => part.kind === "digits" || (part.kind === "key" && part.name === ""));
  if (needsPointer)
    return path.map((part) => `/${partText(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  const steps = path.map((part) =>
    part.kind === "index"
      ? `[${Math.min(part.index, LAST_INDEX)}]`
      : `."${partText(part).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
  );
  return `$${steps.join("")}`;
}

/** The engine rejects larger indexes; no array is that long. */
const LAST_INDEX = 2 ** 31 - 1;

function partText(part: PathPart): string {
  if (part.kind === "match") throw new Error("match() is not a place in a document");
  return part.kind === "index" ? String(part.index) : part.name;
}

/** SQL of the part of a document at a path, as JSON text; NULL where there is none. */
export function extractSql(scope: Scope, document: string, path: readonly PathPart[]): string {
  if (path.length === 0) return document;
  return `json_extract(${document}, ${scope.value(jsonPath(path))})`;
}

/** The kinds of JSON value in jsonb's order, as `json_type` names them. */
const kindOrder = [
  ["NULL"],
  ["VARCHAR"],
  ["BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT", "DOUBLE"],
  ["BOOLEAN"],
  ["ARRAY"],
  ["OBJECT"],
] as const;

export const jsonKind = { null: 0, string: 1, number: 2, boolean: 3, array: 4, object: 5 } as const;

/** The engine makes a join of a longer list, and plans of many joins take seconds. */
const MAX_LISTED = 4;

/** SQL that is true where `json_type` of a part is one of the kinds. */
export function kindIn(typeSql: string, kinds: readonly number[]): string {
  const names = kinds.flatMap((kind) => kindOrder[kind] ?? []);
  // Without kinds the SQL still contains the expression, since the statement must use every parameter.
  if (names.length === 0) return `${typeSql} = ''`;
  const list = names.map(quotedText).join(", ");
  return names.length > MAX_LISTED ? `list_contains([${list}], ${typeSql})` : `${typeSql} IN (${list})`;
}
