/**
 * What the operators of the query language mean: which kinds of field a comparison supports, how it reads an operand
 * there, and its SQL. `spellings.ts` has a row for each operator with its spelling in AST and PQL; the rules of a
 * comparison are here. All code that depends on operators uses these tables: the reader of AST, the checks of a query's
 * size, the implicit `type = agent`, the older language of events and `docs/entities.md` (`reference/query.md §4`,
 * `reference/entities.md §1`).
 */
import { canonicalText } from "../hash/canonical.ts";
import { type Json, isNumber, isObject, numberText } from "../json.ts";
import { translateRegex } from "../postgres/regex.ts";
import {
  elementText,
  encodedPattern,
  incompatibleNumber,
  incompatibleTypes,
  onlyNullError,
  numeric,
  patternOf,
  pathOf,
  pathPatterns,
  prefixOf,
  timestampOf,
  wrongOperand,
} from "./ast/operands.ts";
import { operandText } from "./ast/clojure.ts";
import type { Field, FieldType } from "./entities/entity.ts";
import { FormError, QueryError } from "./errors.ts";
import { type ComparisonName, type ComparisonSpelling, type OperatorSpelling, spellings } from "./spellings.ts";
import type { Condition, DottedRef, FieldRef, Ordering, PartTest, TextTest } from "./tree.ts";

export type Operator = Exclude<OperatorSpelling, ComparisonSpelling> | Comparison;

/** Makes a condition of a field and an operand. */
export type OperandReader = (ref: FieldRef, operand: Json) => Condition;

/** `[operator, field, operand]`: its spelling and its rules. */
export type Comparison = ComparisonSpelling & ComparisonRules;

type NamedRules = ComparisonRules & Pick<ComparisonSpelling, "ast">;

/** The rules of a comparison. */
interface ComparisonRules {
  /** Its meaning in a few words, for pages and messages. */
  readonly meaning: string;
  /** Whether a condition on `type` replaces the implicit `type = agent` (`reference/query.md §6.3`). */
  readonly mentionsField: boolean;
  /** The supported kinds of field, with the function that reads an operand for each. */
  readonly fields: Readonly<Partial<Record<FieldType, OperandReader>>>;
  /**
   * Runs before the kind of field is considered, as in PuppetDB; undefined: the kind decides.
   * @throws QueryError for operands that no kind supports
   */
  readonly onAnyField?: (ref: FieldRef, operand: Json) => Condition | undefined;
  /** Fields that are not supported although their kind is. */
  readonly except?: (field: Field) => boolean;
  /** Reads an operand for a part of a document; absent: not supported on parts. */
  readonly onPart?: (ref: DottedRef, operand: Json) => PartTest;
  /** The types of operand that are supported on `["fact", name]`. */
  readonly factOperands: readonly ("string" | "boolean" | "number")[];
  /** Tests a text, for `["parameter", name]` and `["function", "jsonb_typeof", field]`; absent: not supported there. */
  readonly onText?: (text: string) => TextTest;
  /**
   * Which fields of events are supported in the older language (`ast/legacy-events.ts`); absent: the operator is
   * unknown there.
   */
  readonly legacy?: "equality" | "match" | "order";
  /** Whether the operand, or each element of it, is a regular expression. */
  readonly patterns?: "operand" | "elements";
  /** SQL that compares a column with one value. */
  readonly sql?: (column: string, value: string) => string;
}

/** SQL with the operator between column and value. */
function infix(op: string): (column: string, value: string) => string {
  return (column, value) => `${column} ${op} ${value}`;
}

const unknown: Condition = { kind: "constant", value: null };

const equality: ComparisonRules = {
  meaning: "equals; of a document or an array: contains",
  mentionsField: true,
  fields: {
    string: (ref, operand) => {
      if (ref.field.serialized === true) return equals(ref, canonicalText(operand, "symbols"));
      if (typeof operand !== "string") throw wrongOperand(ref, operand, "a string");
      return equals(ref, operand);
    },
    boolean: (ref, operand) => {
      if (ref.field.truthy === true) return equals(ref, operand !== false);
      if (typeof operand !== "boolean") throw wrongOperand(ref, operand, "true or false");
      return equals(ref, operand);
    },
    numeric: (ref, operand) => {
      if (!isNumber(operand)) throw incompatibleNumber(ref, operand);
      return { kind: "compare", ref, op: "=", value: numeric(operand) };
    },
    timestamp: (ref, operand) => {
      if (ref.field.onlyNull === true) throw onlyNullError(ref, operand);
      return { kind: "compare", ref, op: "=", value: { micros: timestampOf(operand) } };
    },
    array: (ref, operand) => {
      const element = elementText(ref, operand);
      if (element === undefined) throw wrongOperand(ref, operand, "one element's text");
      return { kind: "element", ref, test: { kind: "compares", op: "=", text: element } };
    },
    path: (ref, operand) => ({ kind: "path", ref, path: pathOf(operand) }),
    "encoded-path": (ref, operand) => ({ kind: "path", ref, path: pathOf(operand) }),
    json: (ref, operand) => ({ kind: "json", ref, op: "=", value: operand }),
    document: (ref, operand) => ({
      kind: "part",
      ref: { name: ref.name, field: ref.field, path: prefixOf(ref) },
      test: { kind: "contains", value: operand },
    }),
  },
  // A serialized null is a text like any other.
  onAnyField: (ref, operand) =>
    operand === null && ref.field.serialized !== true ? { kind: "null", ref, isNull: true } : undefined,
  onPart: (ref, operand) => {
    if (operand === null) return { kind: "null", isNull: true };
    const isExact = ref.path.some((part) => part.kind !== "key");
    return { kind: isExact ? "equals" : "contains", value: operand };
  },
  factOperands: ["string", "boolean", "number"],
  onText: (text) => ({ kind: "compares", op: "=", text }),
  legacy: "equality",
  sql: infix("="),
};

function equals(ref: FieldRef, value: string | boolean): Condition {
  return { kind: "compare", ref, op: "=", value };
}

function ordering(op: Ordering, meaning: string): ComparisonRules {
  return {
    meaning,
    mentionsField: true,
    fields: {
      numeric: (ref, operand) => {
        if (!isNumber(operand)) throw incompatibleTypes(op, operand);
        return { kind: "compare", ref, op, value: numeric(operand) };
      },
      timestamp: (ref, operand) => ({ kind: "compare", ref, op, value: { micros: timestampOf(operand) } }),
      json: (ref, operand) => {
        if (!isNumber(operand)) throw incompatibleTypes(op, operand);
        return { kind: "json", ref, op, value: operand };
      },
    },
    except: ({ onlyNull }) => onlyNull === true,
    onPart: (_ref, operand) => {
      if (isStructure(operand)) throw new FormError(`Invalid ${op} clause`);
      return { kind: "order", op, value: operand };
    },
    factOperands: ["number"],
    legacy: "order",
    sql: infix(op),
  };
}

/** Whether PuppetDB rejects the form of an operand: an object, or a list of other things than texts and whole numbers. */
function isStructure(operand: Json): boolean {
  if (!Array.isArray(operand)) return isObject(operand);
  return !operand.every((each) => typeof each === "string" || (isNumber(each) && /^-?\d+$/.test(numberText(each))));
}

const matchesPattern: OperandReader = (ref, operand) => ({
  kind: "text",
  ref,
  test: { kind: "matches", regex: translateRegex(patternOf(ref, operand)) },
});

const match: ComparisonRules = {
  meaning: "matches a regular expression",
  mentionsField: true,
  fields: {
    string: matchesPattern,
    "encoded-path": matchesPattern,
    json: matchesPattern,
    array: (ref, operand) => {
      // Operands for tags become text in lower case first, as in PuppetDB.
      const given = ref.field.lowerCase === true ? operandText(operand).toLowerCase() : operand;
      return { kind: "element", ref, test: { kind: "matches", regex: translateRegex(patternOf(ref, given)) } };
    },
  },
  onAnyField: (ref, operand) => {
    if (ref.field.serialized === true) return undefined;
    if (operand === null) return unknown;
    if (isStructure(operand) && ref.field.lowerCase !== true) throw new FormError("Invalid ~ clause");
    return undefined;
  },
  onPart: (ref, operand) => {
    if (isStructure(operand)) throw new FormError("Invalid ~ clause");
    if (operand === null || Array.isArray(operand)) {
      throw new QueryError(
        `Argument ${JSON.stringify(operand)} does not suit "${ref.name}"; expected a regular expression in a string.`,
      );
    }
    return { kind: "text", test: { kind: "matches", regex: translateRegex(operandText(operand)) } };
  },
  factOperands: ["string", "boolean"],
  onText: (text) => ({ kind: "matches", regex: translateRegex(text) }),
  legacy: "match",
  patterns: "operand",
};

const matchesElements: OperandReader = (ref, operand) => ({
  kind: "path-match",
  ref,
  elements: pathPatterns(ref, operand),
});

const pathMatch: ComparisonRules = {
  meaning: "a path whose elements match these regular expressions, one each",
  mentionsField: false,
  fields: {
    path: matchesElements,
    "encoded-path": (ref, operand) => ({
      kind: "text",
      ref,
      test: { kind: "matches", regex: encodedPattern(ref, operand) },
    }),
  },
  onAnyField: (ref, operand) =>
    operand === null && ref.field.serialized !== true && pathMatch.fields[ref.field.type] !== undefined
      ? unknown
      : undefined,
  factOperands: [],
  patterns: "elements",
};

const rules: Readonly<Record<ComparisonName, ComparisonRules>> = {
  "=": equality,
  "<": ordering("<", "is less, or earlier"),
  ">": ordering(">", "is greater, or later"),
  "<=": ordering("<=", "is at most"),
  ">=": ordering(">=", "is at least"),
  "~": match,
  "~>": pathMatch,
};

/** Every operator, in the order in which pages and messages list them. */
export const operators: readonly Operator[] = spellings.map((spelling) =>
  spelling.form === "comparison" ? { ...spelling, ...rules[spelling.ast] } : spelling,
);

export const comparisons: readonly Comparison[] = operators.filter((operator) => operator.form === "comparison");

const byName: ReadonlyMap<unknown, Operator> = new Map(operators.map((operator) => [operator.ast, operator]));

/** The operator with this spelling in AST; undefined for anything else. */
export function operatorNamed(ast: unknown): Operator | undefined {
  return byName.get(ast);
}

/** The comparison with this spelling in AST. */
export function comparisonNamed(ast: unknown): Comparison | undefined {
  const operator = byName.get(ast);
  return operator?.form === "comparison" ? operator : undefined;
}

/** Whether a comparison supports a field. */
export function supports({ fields, except }: ComparisonRules, field: Field): boolean {
  return fields[field.type] !== undefined && except?.(field) !== true;
}

/**
 * The error for an operator that a field does not support. PuppetDB rejects most of them by the form of the query, and
 * leaves regular expressions to its database.
 */
export function unsupportedOperator({ legacy, ast, patterns }: NamedRules, field: string): QueryError {
  const named = legacy === "order" ? "operators >,>=,<,<= are" : `operator ${ast} is`;
  const message = `Query ${named} not allowed on field ${field}`;
  return patterns === "operand" ? new QueryError(message) : new FormError(message);
}

/**
 * `field op operand` for a field of the entity itself.
 * @throws QueryError when the field does not support the operator, or the operand is invalid for them
 */
export function readComparison(ref: FieldRef, operator: NamedRules, operand: Json): Condition {
  const condition = operator.onAnyField?.(ref, operand);
  if (condition !== undefined) return condition;
  // PuppetDB rejects the others below, by the type of the field.
  if (ref.field.type === "expanded" && operator.fields.string !== undefined && operator.legacy !== "order") {
    throw new QueryError(
      `'${ref.name}' contains whole records and cannot be compared; query the entity of those records`,
    );
  }
  const read = operator.fields[ref.field.type];
  if (read === undefined || !supports(operator, ref.field)) throw unsupportedOperator(operator, ref.name);
  return read(ref, operand);
}

const equalTo: NamedRules = { ast: "=", ...equality };

/** `field = value`. */
export function readEquality(ref: FieldRef, value: Json): Condition {
  return readComparison(ref, equalTo, value);
}

/** Whether a filter mentions a field, so that no implicit condition on it is added. */
export function mentionsField(filter: Json, field: string): boolean {
  if (!Array.isArray(filter)) return false;
  const [op, name, source] = filter;
  const operator = operatorNamed(op);
  switch (operator?.form) {
    case "junction":
      return filter.slice(1).some((clause) => mentionsField(clause, field));
    case "membership":
      return name === field && Array.isArray(source) && source[0] === "array";
    case "null test":
      return name === field;
    case "comparison":
      return operator.mentionsField && name === field;
    default:
      return false;
  }
}
