/** What the functions that write DuckDB's SQL take and return. */
import type { SqlValue } from "../../engine/sql-value.ts";

/** Makes a value a parameter of the statement, and returns its placeholder. */
export type Bind = (value: SqlValue) => string;

/** `integer` has 64 bits, `large integer` at least 38 digits; a time has microseconds and no zone, as all are in UTC. */
export type SqlType = "text" | "boolean" | "integer" | "large integer" | "double" | "time";

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
  /** The kind; only `isKind` and `isOneOf` read it. */
  readonly kind: string;
}
