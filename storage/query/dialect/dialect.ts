/**
 * What engines spell differently in SQL. The compiler and the entities write the rest themselves, as all engines read it: joins,
 * conditions with three values, CASE, coalesce, nullif, count, sum, min and max, FILTER (WHERE …), window functions, NULLS FIRST,
 * IS NOT DISTINCT FROM, rows in IN, ||, left, length, lower, replace, and concat, for which NULL is an empty text.
 *
 * Every member makes an expression of others, unless it says otherwise. Operands are columns, placeholders, calls, or in brackets.
 */
import type { SqlValue } from "../../engine/sql-value.ts";
import type { Regex } from "../../postgres/regex/regex-of-engine.ts";

export interface Dialect {
  readonly values: Values;
  readonly texts: Texts;
  readonly times: Times;
  readonly json: JsonTexts;
  readonly lists: Lists;
  readonly aggregates: Aggregates;
  readonly tables: Tables;
}

/** Makes a value a parameter of the statement, and returns its placeholder. */
export type Bind = (value: SqlValue) => string;

/** `integer` has 64 bits, `large integer` at least 38 digits; a time has microseconds and no zone, as all are in UTC. */
export type SqlType = "text" | "boolean" | "integer" | "large integer" | "double" | "time";

/** Values of any type. */
export interface Values {
  readonly cast: (value: string, type: SqlType) => string;
  /** NULL where the value is no value of the type. */
  readonly castOrNull: (value: string, type: SqlType) => string;
  /** One of two values. @param condition true, false or NULL, which is false */
  readonly choice: (condition: string, yes: string, no: string) => string;
  /** Ends the statement with an error. @param message an expression */
  readonly error: (message: string) => string;
  /** The quotient of two integers, without its fraction. */
  readonly quotient: (dividend: string, divisor: string) => string;
  /** A number of 64 bits that is the same for the same values. */
  readonly hash: (...values: readonly string[]) => string;
}

export interface Texts {
  readonly contains: (text: string, part: string) => string;
  readonly startsWith: (text: string, begin: string) => string;
  /** Whether a regular expression matches somewhere in a text. */
  readonly matches: (text: string, regex: Regex, bind: Bind) => string;
  /** The length in bytes of UTF-8. */
  readonly bytes: (text: string) => string;
  /** A short text that differs between different texts, of characters that nobody searches for. */
  readonly identity: (text: string) => string;
  /** The number that a text is for PostgreSQL's `numeric`, as a text in JSON's spelling; NULL where it is none. */
  readonly numeric: (text: string) => string;
  /** The text of a number by a mask of `to_char`. Fails for a mask that is none. @param number a text */
  readonly number: (number: string, mask: string) => string;
}

export interface Times {
  /** The text of a time, as in `2026-11-20T12:00:00.000Z`. */
  readonly iso: (time: string) => string;
  /** The JSON text of {@link iso}. */
  readonly json: (time: string) => string;
  /** The text of a time with a zone, and a fraction of up to six digits only where it has one: `2026-11-20T12:00:00.5+00:00`. */
  readonly withZone: (time: string) => string;
  /** The text of a time by a mask of `to_char`. */
  readonly masked: (time: string, mask: string, bind: Bind) => string;
  /** Microseconds since the epoch. */
  readonly micros: (time: string) => string;
  /** The time without what is less than a millisecond. */
  readonly inMilliseconds: (time: string) => string;
}

/** The kinds of JSON value. */
export type JsonKind = "null" | "string" | "number" | "boolean" | "array" | "object";

/** A step into a document. Digits are an array's index or a key. */
export type PathStep =
  | { readonly kind: "key"; readonly name: string }
  | { readonly kind: "digits"; readonly name: string }
  | { readonly kind: "index"; readonly index: number };

/** SQL of what is at a place in a document; all is NULL where nothing is. The place is bound once, and only if something is read. */
export interface JsonPart {
  /** The JSON text. */
  readonly json: string;
  /** What a string means, the JSON text of any other value. */
  readonly string: string;
  /** The kind; only {@link JsonTexts.isKind} and {@link JsonTexts.isOneOf} read it. */
  readonly kind: string;
}

/** JSON values, which are stored as their texts. */
export interface JsonTexts {
  /** The JSON text of a text, a number, a boolean, or a list of texts; NULL of NULL. */
  readonly text: (value: string) => string;
  /** The same as an argument of `concat`. */
  readonly piece: (value: string) => string;
  /** The JSON text of an object. NULL is `null`; values are as for {@link text}. @param members keys, and values */
  readonly object: (members: readonly (readonly [key: string, value: string])[]) => string;
  /** The text that a JSON text of a string means. */
  readonly string: (json: string) => string;
  /** The part of a document to which steps lead; without steps, the document. */
  readonly part: (document: string, steps: readonly PathStep[], bind: Bind) => JsonPart;
  /** Whether a kind is, or is not, one that is not a number. */
  readonly isKind: (kind: string, test: "=" | "<>", of: Exclude<JsonKind, "number">) => string;
  /** Whether a kind is one of some, or none. */
  readonly isOneOf: (kind: string, kinds: readonly JsonKind[]) => string;
  /** A text by which JSON texts are ordered as PostgreSQL's `jsonb` orders them (`jsonb/sort-key.ts`). */
  readonly orderKey: (document: string) => string;
  /** Whether a document contains another one, as `@>` of PostgreSQL's `jsonb`. @param operand a text */
  readonly contains: (document: string, operand: string) => string;
  /** The text of a document as PostgreSQL's `jsonb` spaces it. */
  readonly spaced: (document: string) => string;
  /** Of an array of texts and numbers the first one as a text. */
  readonly firstText: (array: string) => string;
  /** All of them as one text. @param separator a text of SQL */
  readonly joinedTexts: (array: string, separator: string) => string;
}

/** Lists, most of them of texts. Places are counted from 1. */
export interface Lists {
  readonly of: (...elements: readonly string[]) => string;
  /** A list that is bound as the text of a JSON array: one text is bound in a tenth of the time of as many values. */
  readonly ofJson: (text: string, type: SqlType) => string;
  /** A column of a SELECT: a row for each element. */
  readonly rows: (list: string) => string;
  /** The same for different elements; a list without elements, and NULL, are one row with NULL. */
  readonly differentRows: (list: string) => string;
  /** A row for each time of a list of microseconds since the epoch. */
  readonly timeRows: (micros: string) => string;
  readonly length: (list: string) => string;
  readonly element: (list: string, place: number) => string;
  readonly has: (list: string, element: string) => string;
  /** Whether an element meets a condition; NULL of NULL. */
  readonly some: (list: string, condition: (element: string) => string) => string;
  readonly concatenated: (one: string, other: string) => string;
  /** One text of a list of texts. @param separator a text of SQL */
  readonly joined: (list: string, separator: string) => string;
  /** The list, NULL where it has no elements. */
  readonly orNull: (list: string) => string;
}

/** What a group of rows has in common. */
export interface Aggregates {
  /** The value of any row that has one. */
  readonly any: (value: string) => string;
  /** Whether a condition is true for a row; NULL where it is NULL for all. */
  readonly some: (condition: string) => string;
  /** The value of the row with the least key. */
  readonly least: (value: string, key: string) => string;
  /** The value of the row with the greatest key. */
  readonly greatest: (value: string, key: string) => string;
  /** One text of all texts. @param separator a text of SQL @param order what rows are ordered by */
  readonly joined: (text: string, separator: string, order?: string) => string;
  /** A list of all values. @param order what rows are ordered by */
  readonly list: (value: string, order?: string) => string;
  /** The exact sum of JSON texts of numbers as a text; NULL where there are none. */
  readonly sum: (numbers: string) => string;
  /** The text of an average with PostgreSQL's digits. @param sum a text @param count a text */
  readonly average: (sum: string, count: string) => string;
}

/** What a SELECT is made of. */
export interface Tables {
  /** A number that finds a row of a stored table, for as long as the statement runs. @param alias of the table; absent: there is only one */
  readonly rowNumber: (alias?: string) => string;
  /** An item of WITH that is computed once, however often it is read. */
  readonly once: (name: string, select: string) => string;
  /** An item of WITH that is computed where it is read. */
  readonly inPlace: (name: string, select: string) => string;
  /** All columns in a SELECT, some of which have another value. @param changed `value AS column` @param alias of their table */
  readonly columnsWith: (changed: readonly string[], alias?: string) => string;
  /**
   * A stored table with only the rows that have one of a few values in a column, in parentheses.
   * @param values SQL of the values, which all differ
   * @param isView whether it is a view, whose rows have no number
   */
  readonly rowsWith: (table: string, column: string, values: readonly string[], isView: boolean) => string;
}
