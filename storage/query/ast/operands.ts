import { type Json, isExactNumber, isNumber, isObject, numberText } from "../../json.ts";
import { parseMillis, parseTimestamp } from "../../time.ts";
import { canonicalText } from "../../hash/canonical.ts";
import { FormError, PlanError, QueryError } from "../errors.ts";
import { type Regex, translateRegex } from "../../postgres/regex.ts";
import { encodePath } from "../../wire/fact-leaves.ts";
import type { Condition, FieldRef, PathPattern, Scalar } from "../tree.ts";
import { operandText } from "./clojure.ts";

/** `in … array` (`reference/entities.md §1`, column "in … array"). */
export function readOneOf(ref: FieldRef, values: readonly Json[]): Condition {
  switch (ref.field.type) {
    case "string":
      return { kind: "one-of", ref, values: values.map((value) => listedText(ref, value)) };
    case "timestamp":
      if (ref.field.onlyNull === true) throw onlyNullError(ref, values[0] ?? null);
      return { kind: "one-of", ref, values: values.map(timestampOrNull) };
    case "array":
      throw new PlanError("Operator in...array is not supported on array types");
    case "path":
    case "encoded-path":
      return { kind: "one-of-paths", ref, paths: values.map(pathOf) };
    case "json":
      return { kind: "one-of-json", ref, values };
    default:
      throw new QueryError(
        `Operator in...array is not supported on field ${ref.name}; write ["or", ["=", "${ref.name}", …], …]`,
      );
  }
}

/** A JSON number as a parameter; whole numbers of 64 bits stay exact. */
export function numeric(value: Parameters<typeof numberText>[0]): Scalar {
  const text = numberText(value);
  if (!/^-?\d+$/.test(text)) return Number(text);
  const whole = BigInt(text);
  return BigInt.asIntN(64, whole) === whole ? whole : Number(text);
}

/** @throws QueryError when the operand is not a point in time (`reference/query.md §9.5`) */
export function timestampOf(operand: Json): bigint {
  const found =
    typeof operand === "string"
      ? parseTimestamp(operand)
      : isNumber(operand)
        ? parseMillis(Number(numberText(operand)))
        : undefined;
  if (found === undefined) throw new PlanError(`'${operandText(operand)}' is not a valid timestamp value`);
  return found;
}

/** The pattern of `~`. Serialized fields serialize the pattern too, quotes included (`reference/query.md §4.3`). */
export function patternOf(ref: FieldRef, operand: Json): string {
  if (ref.field.serialized === true) return canonicalText(operand, "symbols");
  if (typeof operand !== "string") throw wrongOperand(ref, operand, "a regular expression in a string");
  return operand;
}

function timestampOrNull(value: Json): Scalar | null {
  try {
    return { micros: timestampOf(value) };
  } catch {
    return null;
  }
}

function listedText(ref: FieldRef, value: Json): string {
  if (ref.field.serialized === true) return canonicalText(value, "symbols");
  // The text of null is empty.
  return value === null ? "" : operandText(value);
}

/** @throws PlanError when it is not a path of names and whole numbers */
export function pathOf(operand: Json): (string | number)[] {
  if (!Array.isArray(operand)) throw badPath();
  return operand.map((element) => {
    if (typeof element === "string" || (typeof element === "number" && Number.isInteger(element))) return element;
    throw badPath();
  });
}

/** PuppetDB's message, with its placeholder (`reference/query.md §9.1`). */
function badPath(): PlanError {
  return new PlanError("Path array element wasnt string or integer in {0}");
}

/** The elements of `~>`. */
export function pathPatterns(ref: FieldRef, operand: Json): PathPattern[] {
  if (!Array.isArray(operand)) throw wrongOperand(ref, operand, "an array of regular expressions and array indexes");
  return operand.map((element): PathPattern => {
    if (typeof element === "number" && Number.isInteger(element)) return { kind: "index", index: element };
    if (typeof element !== "string") throw wrongOperand(ref, element, "a string or a whole number in the path");
    // Digits are a part of a key, never an index.
    return { kind: "regex", regex: translateRegex(element), isKey: /^\d+$/.test(element) };
  });
}

/**
 * The elements of `~>` as one pattern of encoded paths, as PuppetDB makes it: patterns are neither grouped nor anchored each, and
 * only a dot that is repeated stays within an element.
 */
export function encodedPattern(ref: FieldRef, operand: Json): Regex {
  const elements = pathPatterns(ref, operand).map((pattern, index) => {
    if (pattern.kind === "index") return pattern.index;
    const element = (operand as string[])[index] ?? "";
    return element.replace(/\.\*/g, WITHIN_ELEMENT).replace(/\.(\+|\{.+\})/g, "[^#]$1");
  });
  return translateRegex(`^${encodePath(elements)}$`);
}

/** Any text without the separator of encoded paths, `#~`. */
const WITHIN_ELEMENT = "(?:[^#]|#+[^#~])*#*";

/** The components before every path into a document. */
export function prefixOf(ref: FieldRef): { kind: "key"; name: string }[] {
  return (ref.field.parts?.prefix ?? []).map((name) => ({ kind: "key", name }));
}

/** The error for an operand that is not a number, of an operator that orders numbers. */
export function incompatibleTypes(op: string, operand: Json): PlanError {
  return new PlanError(`Argument "${operandText(operand)}" and operator "${op}" have incompatible types.`);
}

/**
 * PuppetDB leaves these errors to its database and returns 500 with the database's message (`reference/query.md §9.4`).
 */
export function wrongOperand(ref: FieldRef, operand: Json, wanted: string): QueryError {
  const shown = isExactNumber(operand) ? operand.rawJSON : JSON.stringify(operand);
  return new QueryError(`Argument ${shown} does not suit field "${ref.name}"; expected ${wanted}.`);
}

/** The field supports only `= null`. */
export function onlyNullError(ref: FieldRef, operand: Json): QueryError {
  return wrongOperand(ref, operand, `null: write ["null?", "${ref.name}", false]`);
}

/** A text is an error of form, as in PuppetDB; any other value is reported later. */
export function incompatibleNumber(ref: FieldRef, operand: Json): QueryError {
  const message = `Argument "${operandText(operand)}" is incompatible with numeric field "${ref.name}".`;
  return typeof operand === "string" ? new FormError(message) : new QueryError(message);
}

/**
 * The text of one element of an array field; undefined where the operand is not one. Operands for tags become text in
 * lower case first, as in PuppetDB.
 */
export function elementText(ref: FieldRef, operand: Json): string | undefined {
  if (ref.field.lowerCase === true) return operandText(operand).toLowerCase();
  return Array.isArray(operand) || isObject(operand) ? undefined : operandText(operand);
}
