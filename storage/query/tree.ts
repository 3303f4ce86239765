/**
 * The typed query tree: the result of parsing AST and PQL, and the only input of the compiler. Plain data; every field
 * in it exists, every operand has the type that its operator requires. Nothing downstream reads the query's text again.
 */
import type { Json } from "../json.ts";
import type { Timestamp } from "../time.ts";
import type { PathStep } from "./dialect/types.ts";
import type { Entity, Field, FieldType } from "./entities/entity.ts";
import type { FieldSql } from "./entities/sql.ts";
import type { Regex } from "../postgres/regex.ts";

/** The operators that order numbers, times and JSON values. */
export type Ordering = ">" | "<" | ">=" | "<=";

/** A field of a row, and the name that the query used for it. */
export interface FieldRef {
  readonly name: string;
  readonly field: Field;
  readonly path?: undefined;
}

/** A part of a document: `facts.os.release[0]` is the field `facts` and these components. */
export interface DottedRef {
  /** The text in the query; the key of the column in the result. */
  readonly name: string;
  readonly field: Field;
  readonly path: readonly PathPart[];
}

/** What rows are ordered by, and what functions compute with: a field, or a part of a document, whose value is JSON. */
export type ValueRef = FieldRef | DottedRef;

export function typeOf({ field, path }: ValueRef): FieldType {
  return path === undefined ? field.type : "json";
}

/** One component of a dotted path. */
export type PathPart = PathStep | { readonly kind: "match"; readonly pattern: string };

/** A value that is compared as a value of the engine's own type. */
export type Scalar = string | number | bigint | boolean | { readonly micros: Timestamp };

/** How a text is tested; `op` is an operator with SQL of its own (`operators.ts`). */
export type TextTest =
  | { readonly kind: "compares"; readonly op: string; readonly text: string }
  | { readonly kind: "matches"; readonly regex: Regex };

export type Condition =
  | { readonly kind: "and" | "or"; readonly clauses: readonly Condition[] }
  | { readonly kind: "not"; readonly clause: Condition }
  /** null: unknown, whatever is around it */
  | { readonly kind: "constant"; readonly value: boolean | null }
  /** false where the clause is unknown */
  | { readonly kind: "known"; readonly clause: Condition }
  /**
   * events: the newest of its resource on its node within the window; `latest` limits the candidates to (or to other
   * than) latest reports
   */
  | {
      readonly kind: "newest-of-resource";
      readonly start: Timestamp;
      readonly end: Timestamp;
      readonly latest: boolean | null;
    }
  /** `op` is an operator with SQL of its own (`operators.ts`) */
  | { readonly kind: "compare"; readonly ref: FieldRef; readonly op: string; readonly value: Scalar }
  /** false where there is no text; JSON values other than strings are tested as JSON text */
  | { readonly kind: "text"; readonly ref: FieldRef; readonly test: TextTest }
  /** some element of an array field */
  | { readonly kind: "element"; readonly ref: FieldRef; readonly test: TextTest }
  | { readonly kind: "null"; readonly ref: FieldRef; readonly isNull: boolean }
  /** one JSON value of any type */
  | { readonly kind: "json"; readonly ref: FieldRef; readonly op: "=" | Ordering; readonly value: Json }
  | { readonly kind: "json-type"; readonly ref: ValueRef; readonly test: TextTest }
  | { readonly kind: "path"; readonly ref: FieldRef; readonly path: readonly (string | number)[] }
  | { readonly kind: "path-match"; readonly ref: FieldRef; readonly elements: readonly PathPattern[] }
  | { readonly kind: "one-of"; readonly ref: FieldRef; readonly values: readonly (Scalar | null)[] }
  | { readonly kind: "one-of-json"; readonly ref: FieldRef; readonly values: readonly Json[] }
  | { readonly kind: "one-of-paths"; readonly ref: FieldRef; readonly paths: readonly (readonly (string | number)[])[] }
  | { readonly kind: "in-query"; readonly refs: readonly FieldRef[]; readonly selection: Selection }
  | { readonly kind: "part"; readonly ref: DottedRef; readonly test: PartTest }
  | { readonly kind: "node-state"; readonly state: "active" | "inactive" }
  | { readonly kind: "parameter"; readonly key: FieldSql; readonly name: TextTest; readonly value: TextTest };

/** An element of `~>`: an array index, or a regular expression, which may be for keys alone. */
export type PathPattern =
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "regex"; readonly regex: Regex; readonly isKey: boolean };

/** A test of a part of a document (`reference/query.md §5`). */
export type PartTest =
  | { readonly kind: "contains"; readonly value: Json }
  | { readonly kind: "equals"; readonly value: Json }
  /** one of these texts, each compared as by the test named in `as` */
  | { readonly kind: "one-of"; readonly as: "contains" | "equals"; readonly values: readonly string[] }
  | { readonly kind: "order"; readonly op: Ordering; readonly value: Json }
  | { readonly kind: "text"; readonly test: TextTest }
  | { readonly kind: "null"; readonly isNull: boolean };

export type AggregateName = "count" | "sum" | "avg" | "min" | "max";

/** A column of a result; `key` is its name there. */
export type Column =
  | { readonly kind: "field"; readonly key: string; readonly ref: FieldRef }
  | { readonly kind: "part"; readonly key: string; readonly ref: DottedRef }
  | { readonly kind: "aggregate"; readonly key: string; readonly fn: AggregateName; readonly ref: ValueRef | null }
  | { readonly kind: "to_string"; readonly key: string; readonly ref: ValueRef; readonly mask: string };

export interface Order {
  /** A field, a part of a document, or a function of the projection. */
  readonly by: Column;
  readonly descending: boolean;
}

export interface Paging {
  readonly orderBy?: readonly Order[];
  readonly limit?: bigint;
  readonly offset?: bigint;
}

export interface Selection {
  readonly entity: Entity;
  readonly columns: readonly Column[];
  readonly where: Condition | null;
  /** Columns that rows are grouped by; null when nothing is grouped. Aggregates without it are over all rows. */
  readonly groupBy: readonly Column[] | null;
  readonly paging: Paging;
}
