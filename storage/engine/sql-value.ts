/** A pattern for `census_regexp`. */
export interface Pattern {
  readonly regexp: RegExp;
}

/** A value for one `$n` of a statement. `bigint` is BIGINT, an array is VARCHAR[], `{ micros }` a TIMESTAMP. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly string[]
  | { readonly micros: bigint }
  | Pattern;
