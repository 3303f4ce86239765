/**
 * A PostgreSQL regular expression in the syntax of one of our engines. Both test whether it matches anywhere.
 *
 * - `re2`: `regexp_matches(subject, pattern)` in DuckDB, without option flags: the pattern contains all options,
 *   including case. `inJson`: a string that matches always has JSON text that matches too.
 * - `js`: for look-around, back-references, word boundaries, and patterns that are too large for RE2. `regexp` has no
 *   state (no `g`, no `y`). This engine backtracks, see `translateRegex`; run it with `matchAll`.
 */
export type Regex =
  | { readonly engine: "re2"; readonly pattern: string; readonly inJson: boolean }
  | { readonly engine: "js"; readonly regexp: RegExp };
