/**
 * Everything about DuckDB's spelling of SQL that the compiler needs: how a value of each type becomes JSON text, how
 * patterns are matched, how documents are taken apart.
 */
import { quotedText } from "../../engine/quoted-text.ts";
import type { RowLayout, Written } from "../../engine/row-layout.ts";
import type { Field, FieldType } from "../entities/index.ts";
import type { Regex } from "../../postgres/regex.ts";
import type { PathPart } from "../tree.ts";
import type { Scope } from "./scope.ts";

/** SQL of the JSON text of a column that holds a value of that type; never NULL. */
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

/** SQL of a value that the engine's own `json_object` writes as {@link jsonTextOf} does; undefined where it would not. */
export function jsonValueOf(type: FieldType, column: string): string | undefined {
  if (type === "timestamp") return `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  return type === "string" || type === "array" || type === "boolean" || type === "numeric" ? column : undefined;
}

/** One column of an answer. */
export interface Member {
  readonly key: string;
  /** SQL of its JSON text. */
  readonly json: string;
  /** SQL of its value, where `json_object` writes that right. */
  readonly plain?: string | undefined;
  /** SQL of its value, and how that is written outside of the engine; absent: the JSON text is taken as it is. */
  readonly outside?: { readonly sql: string; readonly as: Written } | undefined;
}

/**
 * One row of an answer: `{"key":value,…}` from key and JSON text of each column. A key that is no declared name is what
 * the client wrote and travels as a parameter.
 */
export function jsonObject(scope: Scope, members: readonly Member[]): string {
  // The same text from fewer expressions, of which each costs the planner some hundredths of a millisecond.
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

/** The same row, written outside of the engine: what to select, and how that becomes the text. */
export function laidOut(members: readonly Member[]): {
  readonly select: readonly string[];
  readonly layout: RowLayout;
} {
  const columns = members.map(({ key, outside }, index) => ({
    before: `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`,
    as: outside?.as ?? ("json" as const),
  }));
  return { select: members.map(({ json, outside }) => outside?.sql ?? json), layout: { columns, after: "}" } };
}

/** SQL of the text that a layout makes of columns of these names. */
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

/** Whether a text matches; RE2 inside the engine where it can, our own function where the pattern needs more. */
export function matchesSql(scope: Scope, text: string, regex: Regex): string {
  if (regex.engine === "re2") return `regexp_matches(${text}, ${scope.value(asWritten(regex.pattern))})`;
  return `census_regexp(${text}, ${scope.value({ regexp: regex.regexp })})`;
}

/**
 * DuckDB turns a plain pattern into a search for a text, which is fast, but drops anchors in its middle and everything
 * before an empty group. A repetition it leaves alone, and repeating a whole pattern does not change where it matches.
 */
function asWritten(pattern: string): string {
  return /.\\A|\\z.|\(\?:\)/s.test(pattern) ? `(?:${pattern})+` : pattern;
}

/** More values than these travel as one parameter, which the engine takes apart. */
export const FEW = 32;

/** SQL of a list of texts. As one JSON text it is bound in a tenth of the time that as many values would take. */
export function listSql(scope: Scope, values: readonly string[]): string {
  return `${scope.value(JSON.stringify(values.map((value) => value.toWellFormed())))}::JSON::VARCHAR[]`;
}

/** Whether a column is one of some texts. */
export function inListSql(scope: Scope, column: string, values: readonly string[]): string {
  if (values.length === 0) return "false";
  if (values.length > FEW) return `${column} IN (SELECT unnest(${listSql(scope, values)}))`;
  return `${column} IN (${values.map((value) => scope.value(value)).join(", ")})`;
}

/**
 * How the engine is told a path: as a JSON path, which keeps keys and indexes apart, or as a JSON pointer, in which
 * digits address an array's element or a key of that name, and which alone can spell an empty key.
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

/** The engine refuses larger indexes; no array is that long. */
const LAST_INDEX = 2 ** 31 - 1;

function partText(part: PathPart): string {
  if (part.kind === "match") throw new Error("match() is no place in a document");
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

/** SQL that is true where `json_type` of a part is one of the kinds. */
export function kindIn(typeSql: string, kinds: readonly number[]): string {
  const names = kinds.flatMap((kind) => kindOrder[kind] ?? []);
  // Of no kind: still written out, since every parameter in it has to stand in the statement.
  return names.length === 0 ? `${typeSql} = ''` : `${typeSql} IN (${names.map(quotedText).join(", ")})`;
}
