/**
 * How AST and PQL spell the operators of the query language, one row each; `operators.ts` has the meaning of the
 * comparisons. This file imports nothing, so that the grammar of PQL, completion and advice work in browsers too. A new
 * operator is a new row here, and a new comparison has its rules there.
 */

export type OperatorSpelling = Junction | ComparisonSpelling | NullTest | Membership | Subquery;

/** Joins conditions. */
export interface Junction {
  readonly form: "junction";
  readonly ast: "and" | "or" | "not";
  readonly pql: string;
}

/** `[operator, field, operand]`. */
export interface ComparisonSpelling {
  readonly form: "comparison";
  readonly ast: ComparisonName;
  readonly pql: readonly Spelling[];
}

/** `["null?", field, true or false]`. */
export interface NullTest {
  readonly form: "null test";
  readonly ast: "null?";
  readonly pql: readonly { readonly symbol: string; readonly isNull: boolean }[];
}

/** `["in", field, list or subquery]`. */
export interface Membership {
  readonly form: "membership";
  readonly ast: "in";
  readonly pql: string;
}

/** `["subquery", entity, condition]`; PQL has an entity and braces for it. */
export interface Subquery {
  readonly form: "subquery";
  readonly ast: "subquery";
}

/** The syntax of the right-hand side of a comparison in PQL. */
export type OperandSyntax = "string" | "strings" | "ordered" | "literal";

export interface Spelling {
  readonly symbol: string;
  readonly operand: OperandSyntax;
  /** The comparison is wrapped in `not`. */
  readonly negated?: boolean;
}

export type ComparisonName = "=" | "<" | ">" | "<=" | ">=" | "~" | "~>";

/**
 * Every operator, in the order in which pages and messages list them. PQL tries the spellings from the last to the
 * first, so a spelling that begins with another one comes after it here; {@link pqlComparisons}.
 */
export const spellings: readonly OperatorSpelling[] = [
  { form: "junction", ast: "and", pql: "and" },
  { form: "junction", ast: "or", pql: "or" },
  { form: "junction", ast: "not", pql: "!" },
  {
    form: "comparison",
    ast: "=",
    pql: [
      { symbol: "=", operand: "literal" },
      { symbol: "!=", operand: "literal", negated: true },
    ],
  },
  { form: "comparison", ast: "<", pql: [{ symbol: "<", operand: "ordered" }] },
  { form: "comparison", ast: ">", pql: [{ symbol: ">", operand: "ordered" }] },
  { form: "comparison", ast: "<=", pql: [{ symbol: "<=", operand: "ordered" }] },
  { form: "comparison", ast: ">=", pql: [{ symbol: ">=", operand: "ordered" }] },
  {
    form: "comparison",
    ast: "~",
    pql: [
      { symbol: "~", operand: "string" },
      { symbol: "!~", operand: "literal", negated: true },
    ],
  },
  { form: "comparison", ast: "~>", pql: [{ symbol: "~>", operand: "strings" }] },
  {
    form: "null test",
    ast: "null?",
    pql: [
      { symbol: "is null", isNull: true },
      { symbol: "is not null", isNull: false },
    ],
  },
  { form: "membership", ast: "in", pql: "in" },
  { form: "subquery", ast: "subquery" },
];

/** A spelling of a comparison in PQL. */
export interface PqlComparison extends Spelling {
  /** The comparison in AST. */
  readonly ast: ComparisonName;
}

/** The spellings of comparisons in the order in which PuppetDB tries and lists them: negated ones last. */
export const pqlComparisons: readonly PqlComparison[] = [...written(false).reverse(), ...written(true)];

function written(negated: boolean): PqlComparison[] {
  return spellings.flatMap((operator) =>
    operator.form === "comparison"
      ? operator.pql
          .filter((spelling) => (spelling.negated === true) === negated)
          .map((spelling) => ({ ...spelling, ast: operator.ast }))
      : [],
  );
}

export const pqlNullTests: NullTest["pql"] = spellings.flatMap((operator) =>
  operator.form === "null test" ? operator.pql : [],
);
