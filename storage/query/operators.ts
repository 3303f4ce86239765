/**
 * The operators of the query language, one row each: how AST and PQL spell an operator, which kinds of field it takes,
 * what it reads of an operand there, and its SQL. Whatever knows operators walks these rows: the grammar of PQL, the reader
 * of AST, the checks of a query's size, the implicit `type = agent`, the older language of events, completion, advice and
 * `docs/entities.md`. A new operator is a new row (`reference/query.md §4`, `reference/entities.md §1`).
 */
import { canonicalText } from "../hash/canonical.ts";
import { type Json, isNumber, isObject } from "../json.ts";
import { translateRegex } from "../postgres/regex.ts";
import {
  elementText,
  incompatibleNumber,
  incompatibleTypes,
  notNull,
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
import type { Condition, DottedRef, FieldRef, Ordering, PartTest, TextTest } from "./tree.ts";

export type Operator = Junction | Comparison | NullTest | Membership | Subquery;

/** Joins conditions. */
export interface Junction {
  readonly form: "junction";
  readonly ast: "and" | "or" | "not";
  readonly pql: string;
}

/** `["null?", field, true or false]`. */
export interface NullTest {
  readonly form: "null test";
  readonly ast: "null?";
  readonly pql: readonly { readonly symbol: string; readonly isNull: boolean }[];
  readonly mentionsField: boolean;
}

/** `["in", field, list or subquery]`. */
export interface Membership {
  readonly form: "membership";
  readonly ast: "in";
  readonly pql: string;
  /** A list mentions the field that it is compared with, a subquery does not. */
  readonly mentionsField: "with a list";
}

/** `["subquery", entity, condition]`; PQL has an entity and braces for it. */
export interface Subquery {
  readonly form: "subquery";
  readonly ast: "subquery";
}

/** What PQL accepts on the right-hand side of a comparison. */
export type OperandSyntax = "string" | "strings" | "ordered" | "literal";

export interface Spelling {
  readonly symbol: string;
  readonly operand: OperandSyntax;
  /** The comparison is wrapped in `not`. */
  readonly negated?: boolean;
}

/** Makes a condition of a field and an operand. */
export type Reading = (ref: FieldRef, operand: Json) => Condition;

/** `[operator, field, operand]`. */
export interface Comparison {
  readonly form: "comparison";
  readonly ast: string;
  readonly pql: readonly Spelling[];
  /** What it does, in a few words. */
  readonly meaning: string;
  /** Whether a condition on `type` replaces the implicit `type = agent` (`reference/query.md §6.3`). */
  readonly mentionsField: boolean;
  /** The kinds of field it takes, and what it reads of an operand there. */
  readonly fields: Readonly<Partial<Record<FieldType, Reading>>>;
  /**
   * Read before the kind of field is looked at, as the peer does; undefined: the kind decides.
   * @throws QueryError for operands that no kind takes
   */
  readonly onAnyField?: (ref: FieldRef, operand: Json) => Condition | undefined;
  /** Fields that it does not take although their kind does. */
  readonly except?: (field: Field) => boolean;
  /** Reads an operand for a part of a document; absent: parts do not take it. */
  readonly onPart?: (ref: DottedRef, operand: Json) => PartTest;
  /** The operands that it takes on `["fact", name]`. */
  readonly factOperands: readonly ("string" | "boolean" | "number")[];
  /** Tests a text, for `["parameter", name]` and `["function", "jsonb_typeof", field]`; absent: they do not take it. */
  readonly onText?: (text: string) => TextTest;
  /** Which fields of events it takes in the older language (`ast/legacy-events.ts`); absent: that does not know it. */
  readonly legacy?: "equality" | "match" | "order";
  /** Where an operand holds regular expressions. */
  readonly patterns?: "operand" | "elements";
  /** SQL of the comparison of a column with one value. */
  readonly sql?: (column: string, value: string) => string;
}

/** `op` between the two. */
function infix(op: string): (column: string, value: string) => string {
  return (column, value) => `${column} ${op} ${value}`;
}

const unknown: Condition = { kind: "constant", value: null };

const equality: Comparison = {
  form: "comparison",
  ast: "=",
  pql: [
    { symbol: "=", operand: "literal" },
    { symbol: "!=", operand: "literal", negated: true },
  ],
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
      if (ref.field.onlyNull === true) throw notNull(ref, operand);
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

function ordering(op: Ordering, meaning: string): Comparison {
  return {
    form: "comparison",
    ast: op,
    pql: [{ symbol: op, operand: "ordered" }],
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
      if (isObject(operand)) throw new FormError(`Invalid ${op} clause`);
      return { kind: "order", op, value: operand };
    },
    factOperands: ["number"],
    legacy: "order",
    sql: infix(op),
  };
}

const matchesPattern: Reading = (ref, operand) => ({
  kind: "text",
  ref,
  test: { kind: "matches", regex: translateRegex(patternOf(ref, operand)) },
});

const match: Comparison = {
  form: "comparison",
  ast: "~",
  pql: [
    { symbol: "~", operand: "string" },
    { symbol: "!~", operand: "literal", negated: true },
  ],
  meaning: "matches a regular expression",
  mentionsField: true,
  fields: {
    string: matchesPattern,
    "encoded-path": matchesPattern,
    json: matchesPattern,
    array: (ref, operand) => {
      // What is compared with a tag is made a text in lower case before anything else.
      const given = ref.field.lowerCase === true ? operandText(operand).toLowerCase() : operand;
      return { kind: "element", ref, test: { kind: "matches", regex: translateRegex(patternOf(ref, given)) } };
    },
  },
  onAnyField: (ref, operand) => {
    if (ref.field.serialized === true) return undefined;
    if (operand === null) return unknown;
    if (isObject(operand) && ref.field.lowerCase !== true) throw new FormError("Invalid ~ clause");
    return undefined;
  },
  onPart: (ref, operand) => {
    if (isObject(operand)) throw new FormError("Invalid ~ clause");
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

const matchesElements: Reading = (ref, operand) => ({
  kind: "path-match",
  ref,
  elements: pathPatterns(ref, operand),
});

const pathMatch: Comparison = {
  form: "comparison",
  ast: "~>",
  pql: [{ symbol: "~>", operand: "strings" }],
  meaning: "a path whose elements match these regular expressions, one each",
  mentionsField: false,
  fields: { path: matchesElements, "encoded-path": matchesElements },
  onAnyField: (ref, operand) =>
    operand === null && ref.field.serialized !== true && pathMatch.fields[ref.field.type] !== undefined
      ? unknown
      : undefined,
  factOperands: [],
  patterns: "elements",
};

/**
 * Every operator, in the order in which pages and messages list them. PQL tries the spellings from the last to the first, so
 * that one that begins with another comes after it here; {@link pqlComparisons}.
 */
export const operators: readonly Operator[] = [
  { form: "junction", ast: "and", pql: "and" },
  { form: "junction", ast: "or", pql: "or" },
  { form: "junction", ast: "not", pql: "!" },
  equality,
  ordering("<", "is less, or earlier"),
  ordering(">", "is greater, or later"),
  ordering("<=", "is at most"),
  ordering(">=", "is at least"),
  match,
  pathMatch,
  {
    form: "null test",
    ast: "null?",
    pql: [
      { symbol: "is null", isNull: true },
      { symbol: "is not null", isNull: false },
    ],
    mentionsField: true,
  },
  { form: "membership", ast: "in", pql: "in", mentionsField: "with a list" },
  { form: "subquery", ast: "subquery" },
];

export const comparisons: readonly Comparison[] = operators.filter((operator) => operator.form === "comparison");

const byName: ReadonlyMap<unknown, Operator> = new Map(operators.map((operator) => [operator.ast, operator]));

/** The operator that AST spells so; undefined for anything else. */
export function operatorNamed(ast: unknown): Operator | undefined {
  return byName.get(ast);
}

/** The comparison that AST spells so. */
export function comparisonNamed(ast: unknown): Comparison | undefined {
  const operator = byName.get(ast);
  return operator?.form === "comparison" ? operator : undefined;
}

/** A spelling of a comparison in PQL. */
export interface PqlComparison extends Spelling {
  readonly operator: Comparison;
}

/** The spellings of comparisons in the order in which the peer tries and lists them: negated ones last. */
export const pqlComparisons: readonly PqlComparison[] = [...spellings(false).reverse(), ...spellings(true)];

function spellings(negated: boolean): PqlComparison[] {
  return comparisons.flatMap((operator) =>
    operator.pql
      .filter((spelling) => (spelling.negated === true) === negated)
      .map((spelling) => ({ ...spelling, operator })),
  );
}

export const pqlNullTests: NullTest["pql"] = operators.flatMap((operator) =>
  operator.form === "null test" ? operator.pql : [],
);

/** Whether a comparison takes a field. */
export function takes({ fields, except }: Comparison, field: Field): boolean {
  return fields[field.type] !== undefined && except?.(field) !== true;
}

/**
 * What is said of an operator that a field does not take. The peer refuses most of them by the form of the query, and
 * leaves regular expressions to its database.
 */
export function notTaken({ legacy, ast, patterns }: Comparison, field: string): QueryError {
  const named = legacy === "order" ? "operators >,>=,<,<= are" : `operator ${ast} is`;
  const message = `Query ${named} not allowed on field ${field}`;
  return patterns === "operand" ? new QueryError(message) : new FormError(message);
}

/**
 * `field op operand` for a field of the entity itself.
 * @throws QueryError when the field does not take the operator, or the operand does not suit them
 */
export function readComparison(ref: FieldRef, operator: Comparison, operand: Json): Condition {
  const condition = operator.onAnyField?.(ref, operand);
  if (condition !== undefined) return condition;
  if (ref.field.type === "expanded") {
    throw new QueryError(`'${ref.name}' holds whole records and cannot be compared; ask the entity of those records`);
  }
  const read = operator.fields[ref.field.type];
  if (read === undefined || !takes(operator, ref.field)) throw notTaken(operator, ref.name);
  return read(ref, operand);
}

/** `field = value`. */
export function readEquality(ref: FieldRef, value: Json): Condition {
  return readComparison(ref, equality, value);
}

/** Whether a filter says something of a field, so that no implicit condition on it is added. */
export function mentionsField(filter: Json, field: string): boolean {
  if (!Array.isArray(filter)) return false;
  const [op, name, source] = filter;
  const operator = operatorNamed(op);
  switch (operator?.form) {
    case "junction":
      return filter.slice(1).some((clause) => mentionsField(clause, field));
    case "membership":
      return name === field && Array.isArray(source) && source[0] === "array";
    case "comparison":
    case "null test":
      return operator.mentionsField && name === field;
    default:
      return false;
  }
}
