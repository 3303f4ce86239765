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

/**
 * Many numbers as one text, which the statement casts: `$1::INTEGER[]`. In the engine's binding an array is an object per element,
 * which the garbage collection frees one by one on the event loop.
 */
export function listText(values: Iterable<number | bigint | boolean>): string {
  return `[${[...values].join()}]`;
}
