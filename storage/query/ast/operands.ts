import { type Json, isExactNumber, isNumber, isObject, numberText } from "../../json.ts";
import { parseMillis, parseTimestamp } from "../../time.ts";
import { canonicalText } from "../../hash/canonical.ts";
import type { FieldType } from "../entities/index.ts";
import { FormError, PlanError, QueryError } from "../errors.ts";
import { translateRegex } from "../../postgres/regex.ts";
import type { Comparison, Condition, FieldRef, PathPattern, Scalar, TextTest } from "../tree.ts";
import { operandText } from "./clojure.ts";

type Operator = Comparison | "~" | "~>";
type Reading = (ref: FieldRef, op: Operator, operand: Json) => Condition;

const ordering: ReadonlySet<string> = new Set([">", "<", ">=", "<="]);

/** What each kind of field makes of an operator and an operand (`reference/entities.md §1`). */
const readings: Readonly<Record<FieldType, Reading>> = {
  string: (ref, op, operand) => {
    if (op === "~") return { kind: "matches", ref, regex: translateRegex(patternOf(ref, operand)) };
    refuseAllBut(ref, op, ["="]);
    if (ref.field.serialized === true)
      return { kind: "compare", ref, op: "=", value: canonicalText(operand, "symbols") };
    if (typeof operand !== "string") throw wrongOperand(ref, operand, "a string");
    return { kind: "compare", ref, op: "=", value: operand };
  },
  boolean: (ref, op, operand) => {
    refuseAllBut(ref, op, ["="]);
    if (ref.field.truthy === true) return { kind: "compare", ref, op: "=", value: operand !== false };
    if (typeof operand !== "boolean") throw wrongOperand(ref, operand, "true or false");
    return { kind: "compare", ref, op: "=", value: operand };
  },
  numeric: (ref, op, operand) => {
    refuseAllBut(ref, op, ["=", ">", "<", ">=", "<="]);
    if (!isNumber(operand)) {
      if (op !== "=") throw incompatible(op, operand);
      const message = `Argument "${operandText(operand)}" is incompatible with numeric field "${ref.name}".`;
      throw typeof operand === "string" ? new FormError(message) : new QueryError(message);
    }
    return { kind: "compare", ref, op: op as Comparison, value: numeric(operand) };
  },
  timestamp: (ref, op, operand) => {
    if (ref.field.onlyNull === true) {
      refuseAllBut(ref, op, ["="]);
      throw wrongOperand(ref, operand, `null: write ["null?", "${ref.name}", false]`);
    }
    refuseAllBut(ref, op, ["=", ">", "<", ">=", "<="]);
    return { kind: "compare", ref, op: op as Comparison, value: { micros: timestampOf(operand) } };
  },
  array: (ref, op, operand) => {
    // What is compared with a tag is made a text in lower case before anything else.
    const given = ref.field.lowerCase === true ? operandText(operand).toLowerCase() : operand;
    if (op === "~") return { kind: "element", ref, test: regexTest(patternOf(ref, given)) };
    refuseAllBut(ref, op, ["="]);
    if (Array.isArray(given) || isObject(given)) throw wrongOperand(ref, operand, "one element's text");
    return { kind: "element", ref, test: { kind: "equals", text: operandText(given) } };
  },
  path: (ref, op, operand) => {
    if (op === "~>") return { kind: "path-match", ref, elements: pathPatterns(ref, operand) };
    refuseAllBut(ref, op, ["="]);
    return { kind: "path", ref, path: pathOf(operand) };
  },
  "encoded-path": (ref, op, operand) => {
    if (op === "~>") return { kind: "path-match", ref, elements: pathPatterns(ref, operand) };
    if (op === "~") return { kind: "matches", ref, regex: translateRegex(patternOf(ref, operand)) };
    refuseAllBut(ref, op, ["="]);
    return { kind: "path", ref, path: pathOf(operand) };
  },
  json: (ref, op, operand) => {
    if (op === "~") return { kind: "matches", ref, regex: translateRegex(patternOf(ref, operand)) };
    if (op === "~>") throw new FormError(notAllowed(ref.name, op));
    if (ordering.has(op) && !isNumber(operand)) throw incompatible(op, operand);
    return { kind: "json", ref, op, value: operand };
  },
  document: (ref, op, operand) => {
    refuseAllBut(ref, op, ["="]);
    const test = { kind: "contains", value: operand } as const;
    return { kind: "part", ref: { name: ref.name, field: ref.field, path: prefixOf(ref) }, test };
  },
  expanded: (ref) => {
    throw new QueryError(`'${ref.name}' holds whole records and cannot be compared; ask the entity of those records`);
  },
};

/**
 * `field op operand` for a field of the entity itself.
 * @throws QueryError when the operator or the operand does not suit the field
 */
export function readComparison(ref: FieldRef, op: Operator, operand: Json): Condition {
  // A serialized null is a text like any other.
  if (operand === null && ref.field.serialized !== true) {
    if (op === "=") return { kind: "null", ref, isNull: true };
    if (op === "~" || (op === "~>" && ref.field.type.endsWith("path"))) return { kind: "constant", value: null };
  }
  if (op === "~" && isObject(operand) && ref.field.serialized !== true && ref.field.lowerCase !== true) {
    throw new FormError("Invalid ~ clause");
  }
  return readings[ref.field.type](ref, op, operand);
}

/** `in … array` (`reference/entities.md §1`, column "in … array"). */
export function readOneOf(ref: FieldRef, values: readonly Json[]): Condition {
  switch (ref.field.type) {
    case "string":
      return { kind: "one-of", ref, values: values.map((value) => elementText(ref, value)) };
    case "timestamp":
      if (ref.field.onlyNull === true)
        throw wrongOperand(ref, values[0] ?? null, `null: write ["null?", "${ref.name}", false]`);
      return { kind: "one-of", ref, values: values.map(timestampOrNothing) };
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

/** A JSON number as a parameter: whole numbers of 64 bits stay exact. */
export function numeric(value: Parameters<typeof numberText>[0]): Scalar {
  const text = numberText(value);
  if (!/^-?\d+$/.test(text)) return Number(text);
  const whole = BigInt(text);
  return BigInt.asIntN(64, whole) === whole ? whole : Number(text);
}

/** @throws QueryError when the operand is no point in time (`reference/query.md §9.5`) */
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

export function regexTest(pattern: string): TextTest {
  return { kind: "matches", regex: translateRegex(pattern) };
}

/** The pattern of `~`. Serialized fields serialize the pattern too, quotes included (`reference/query.md §4.3`). */
export function patternOf(ref: FieldRef, operand: Json): string {
  if (ref.field.serialized === true) return canonicalText(operand, "symbols");
  if (typeof operand !== "string") throw wrongOperand(ref, operand, "a regular expression in a string");
  return operand;
}

function timestampOrNothing(value: Json): Scalar | null {
  try {
    return { micros: timestampOf(value) };
  } catch {
    return null;
  }
}

function elementText(ref: FieldRef, value: Json): string {
  if (ref.field.serialized === true) return canonicalText(value, "symbols");
  // The text of nothing is empty.
  return value === null ? "" : operandText(value);
}

function pathOf(operand: Json): (string | number)[] {
  if (!Array.isArray(operand)) throw badPath();
  return operand.map((element) => {
    if (typeof element === "string" || (typeof element === "number" && Number.isInteger(element))) return element;
    throw badPath();
  });
}

/** The peer's words, placeholder and all (`reference/query.md §9.1`). */
function badPath(): PlanError {
  return new PlanError("Path array element wasnt string or integer in {0}");
}

function pathPatterns(ref: FieldRef, operand: Json): PathPattern[] {
  if (!Array.isArray(operand)) throw wrongOperand(ref, operand, "an array of regular expressions and array indexes");
  return operand.map((element): PathPattern => {
    if (typeof element === "number" && Number.isInteger(element)) return { kind: "index", index: element };
    if (typeof element !== "string") throw wrongOperand(ref, element, "a string or a whole number in the path");
    // fact_paths anchors each element and keeps digits as a pattern; fact_contents searches, and digits are a key.
    if (ref.field.type === "encoded-path") return { kind: "regex", regex: translateRegex(`^(?:${element})$`) };
    if (/^\d+$/.test(element)) return { kind: "key", name: element };
    return { kind: "regex", regex: translateRegex(element) };
  });
}

function prefixOf(ref: FieldRef): { kind: "key"; name: string }[] {
  return (ref.field.parts?.prefix ?? []).map((name) => ({ kind: "key", name }));
}

function refuseAllBut(ref: FieldRef, op: Operator, allowed: readonly Operator[]): void {
  if (allowed.includes(op)) return;
  const message = notAllowed(ref.name, op);
  // Everything else is left to the database by the peer.
  throw op === "~>" || ordering.has(op) ? new FormError(message) : new QueryError(message);
}

/** What is said of an operator that a field does not take. */
export function notAllowed(field: string, op: Operator): string {
  if (ordering.has(op)) return `Query operators >,>=,<,<= are not allowed on field ${field}`;
  return `Query operator ${op} is not allowed on field ${field}`;
}

function incompatible(op: Operator, operand: Json): PlanError {
  return new PlanError(`Argument "${operandText(operand)}" and operator "${op}" have incompatible types.`);
}

/** The peer leaves these to its database and answers 500 with the database's words (`reference/query.md §9.4`). */
function wrongOperand(ref: FieldRef, operand: Json, wanted: string): QueryError {
  const shown = isExactNumber(operand) ? operand.rawJSON : JSON.stringify(operand);
  return new QueryError(`Argument ${shown} does not suit field "${ref.name}"; expected ${wanted}.`);
}
