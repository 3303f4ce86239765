/**
 * The terminals of PQL, as data (reference/pql.md §1); those of operators are in `spellings.ts`. The parser uses these
 * tables, and the list of alternatives in an error message consists of their labels.
 */

/** The entities of PuppetDB that PQL can name, in the order of its error messages; the JSON AST has a few more. */
export const ENTITIES = [
  "facts",
  "reports",
  "catalogs",
  "packages",
  "package_inventory",
  "resources",
  "nodes",
  "environments",
  "factsets",
  "fact_paths",
  "fact_contents",
  "inventory",
  "edges",
  "events",
] as const;

/** Entities that PuppetDB does not have. Its error messages, which clients compare, do not list them. */
export const OWN_ENTITIES = [
  "fact_changes",
  "resource_changes",
  "package_changes",
  "catalog_changes",
  "origins",
] as const;

/** Begins the messages about valid queries that PuppetDB refuses (`../extensions.ts`). */
export const notForPuppetdb = "PuppetDB cannot read this query";

/** Every entity that PQL can name. */
export const ALL_ENTITIES: readonly string[] = [...ENTITIES, ...OWN_ENTITIES];

/** Entities of the JSON AST that PQL does not have: their names are syntax errors. */
export const AST_ONLY_ENTITIES = [
  "fact_names",
  "producers",
  "catalog_inputs",
  "catalog_input_contents",
  "event_counts",
  "aggregate_event_counts",
] as const;

export const FUNCTIONS = ["count", "avg", "sum", "min", "max", "to_string"] as const;

/** The fields that may be followed by dotted parts. */
export const DOTTED_FIELDS = ["facts", "trusted", "parameters"] as const;

/** A terminal matched by a sticky expression; the list of alternatives shows its label. */
export interface Pattern {
  readonly expression: RegExp;
  readonly label: string;
}

// White space is ASCII only, as in PuppetDB's regular expressions; JavaScript's `\s` matches more.
export const SPACE: Pattern = { expression: /[ \t\n\v\f\r]+/y, label: String.raw`#"\s+"` };
export const DIGITS: Pattern = { expression: /[0-9]+/y, label: '#"[0-9]+"' };
export const FIELD: Pattern = { expression: /[a-zA-Z0-9_]+\??/y, label: String.raw`#"[a-zA-Z0-9_]+\??"` };

/** A quoted part of a dotted field: ends at the first quote that white space or a dot follows. */
export const QUOTED_PART: Pattern = {
  expression: /"[^\n\r\u0085\u2028\u2029]*?"(?=[. \t\n\v\f\r])/y,
  label: String.raw`#"\".*?\"(?=\.|\s)"`,
};
/** An unquoted part of a dotted field, with one index at most. */
export const BARE_PART: Pattern = {
  expression: /[^ \t\n\v\f\r.",[\]!<=>~]+(?:\[[0-9]+\])?/y,
  label: String.raw`#"[^\s.\",\[\]!<=>~]+(\[\d+\])?"`,
};
/** The label of a `match(…)` part, which the parser finds by hand. */
export const MATCH_PART_LABEL = String.raw`#"match\(.*?\)"`;

/** The label of the look-ahead before a field of `order by`. */
export const NOT_DIRECTION_LABEL = 'NOT "asc" | "desc"';

/** The labels of the end of the query; PuppetDB prints the two without a line break between them. */
export const END_LABELS = [`${SPACE.label} (followed by end-of-string)`, ":end-of-string"] as const;
