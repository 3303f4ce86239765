/** The rows of results as JSON texts. */
import { quotedText } from "../../engine/quoted-text.ts";
import type { Field, FieldType } from "../entities/index.ts";
import type { Scope } from "./scope.ts";
import { duckdb } from "../dialect/duckdb.ts";

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
  const { json, times, values } = duckdb;
  switch (type) {
    case "string":
    case "array":
      return json.text(column);
    case "timestamp":
      return times.json(column);
    case "boolean":
    case "numeric":
      return values.cast(column, "text");
    default:
      return column;
  }
}

/** SQL of a value that a JSON object of the engine has as {@link jsonTextOf} writes it; undefined where it would differ. */
export function jsonValueOf(type: FieldType, column: string): string | undefined {
  if (type === "timestamp") return duckdb.times.iso(column);
  return type === "string" || type === "array" || type === "boolean" || type === "numeric" ? column : undefined;
}

/** One column of a result. */
export interface Member {
  readonly key: string;
  /** SQL of its JSON text. */
  readonly json: string;
  /** SQL of its value, where a JSON object of the engine writes that correctly. */
  readonly plain?: string | undefined;
}

/**
 * One row of a result: `{"key":value,…}` from key and JSON text of each column. A key that is not a declared name was
 * written by the client and is passed as a parameter.
 */
export function jsonObject(scope: Scope, members: readonly Member[]): string {
  // The same text from fewer expressions, since each costs the planner some hundredths of a millisecond.
  if (members.length > 0 && members.every(isPlain)) {
    return duckdb.json.object(members.map(({ key, plain }) => [key, plain]));
  }
  const parts = members.flatMap(({ key, json }, index) => {
    const head = `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`;
    return [isName(key) ? quotedText(head) : scope.value(head), json];
  });
  return `concat(${[...parts, quotedText("}")].join(", ")})`;
}

function isPlain(member: Member): member is Member & { readonly plain: string } {
  return member.plain !== undefined && isName(member.key);
}

function isName(key: string): boolean {
  return /^[a-z_0-9?]+$/.test(key);
}
