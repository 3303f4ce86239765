/**
 * What an entity of the query language is: a declaration the compiler walks. Nothing outside this folder knows a table.
 * Field lists, types and relationships follow `reference/entities.md`.
 */
import type { LongTexts } from "../../schema/long-texts.ts";
import type { Json } from "../../json.ts";
import { alias, type FieldSql, type SqlColumn, type SqlExpression, sqlText, stored, type StoredTable } from "./sql.ts";

/**
 * The kind of a field decides which operators it takes and what an operand means (`reference/entities.md §1`).
 *
 * - `path` is an array of hash keys and array indexes; `encoded-path` the same kept as one text.
 * - `json` is one JSON value of any type (a fact's value); `document` an object whose parts have dotted names;
 *   `expanded` JSON that is only given back, never asked about.
 */
export type FieldType =
  | "string"
  | "boolean"
  | "numeric"
  | "timestamp"
  | "array"
  | "path"
  | "encoded-path"
  | "json"
  | "document"
  | "expanded";

export interface Field {
  readonly type: FieldType;
  /** SQL over the entity's tables. */
  readonly sql: FieldSql;
  /** May stand in filters, `in` and order_by; default true. */
  readonly queryable?: boolean;
  /** May stand in `extract`; default true. */
  readonly projectable?: boolean;
  /** Part of an answer that projects nothing; default is `projectable`. */
  readonly byDefault?: boolean;
  /** What orders, groups and compares the field where that is not `sql` itself. */
  readonly sortKey?: FieldSql;
  /** SQL of the field's JSON text in answers, where the type does not tell how to write `sql`. */
  readonly json?: FieldSql;
  /** Operands are compared as canonical JSON text, because that is how the values are kept. */
  readonly serialized?: boolean;
  /** Operands are lower-cased before they are compared. */
  readonly lowerCase?: boolean;
  /** Only `= null` may be asked of it (`reference/entities.md §1`, "string → timestamp"). */
  readonly onlyNull?: boolean;
  /** Any operand that is not false or null counts as true (`reference/query.md §4.1`). */
  readonly truthy?: boolean;
  /** `boolean`: the SQL is a condition that is true or false, never NULL. */
  readonly isCondition?: boolean;
  /** `encoded-path` and `path`: the SQL of the elements as texts and of their kinds (s or i, one letter each). */
  readonly elements?: FieldSql;
  readonly kinds?: FieldSql;
  /** `document`: where the parts are, one row per top-level key. */
  readonly parts?: DocumentParts;
  /**
   * A certname: SQL of the node's id. Two rows have the same certname exactly when they have the same id, so that
   * memberships compare the id and need no names.
   */
  readonly node?: FieldSql;
  /** It is never NULL, so that its JSON text needs no word for that. */
  readonly required?: boolean;
  /** However many rows there are, there are some dozens of values: statuses, environments, types. */
  readonly few?: boolean;
  /** Values are long: they are fetched last, and for rows of the answer alone. */
  readonly wide?: boolean;
  /** Values may be megabytes long; the table that they are in. */
  readonly long?: LongTexts;
}

/** Rows `(owner, name, value)` that together are the documents of all owners. */
export interface DocumentParts {
  readonly table: string;
  readonly owner: string;
  readonly name: string;
  readonly value: string;
  /** SQL of the owner's id in the entity's row. */
  readonly key: FieldSql;
  /** How a value's text is kept, so that a string can be compared without taking it apart. */
  readonly encode: (value: Json) => string;
  /** The column with the digest of name and value (`hash/parameter-digest.ts`), by which a row is found; absent: there is none. */
  readonly digest?: string;
  /** SQL of the whole document in the entity's row, where it is kept whole as well. */
  readonly whole?: FieldSql;
  /** SQL that yields the owner whose rows have a certname; where it is given, other owners' parts are not looked at. */
  readonly ownerOf?: (certname: string) => string;
  /** Components that come before every path, e.g. `trusted` is the fact of that name. */
  readonly prefix?: readonly string[];
}

/** A table that the entity's fields may need, found by its id; joined only when a statement uses its alias. */
export interface Join {
  readonly table: string;
  readonly alias: string;
  /** The column that holds its id. */
  readonly id: SqlColumn;
  /**
   * It is joined last by statements that carry rows of an answer along: an outer join, though every row has its match. The
   * engine then joins ids first and looks names up last, rather than carrying every row's names through a hash table as
   * large as the answer.
   */
  readonly isLookup?: boolean;
}

/** The rows that an entity begins with: a stored table, or what a subquery selects. */
export interface From {
  readonly rows: StoredTable | SqlExpression;
  readonly alias: string;
}

/** `subquery` from this entity: local columns that must be among the other entity's foreign columns. */
export interface Relationship {
  readonly local: readonly string[];
  readonly foreign: readonly string[];
}

export interface Entity {
  readonly name: string;
  /** The name error messages use where it differs. */
  readonly alias: string;
  readonly from: From;
  /** It begins with a view over several tables: its rows have no place by which they could be found again. */
  readonly isView?: boolean;
  /** The columns of the first table that say what a row joins; they can be found before anything else is fetched. */
  readonly ids?: readonly string[];
  readonly joins: readonly Join[];
  /** Fields that tell a row from every other: no two rows have the same values in all of them. */
  readonly unique?: readonly string[];
  /** A condition every row of the entity meets. */
  readonly always?: SqlExpression;
  readonly fields: Readonly<Record<string, Field>>;
  readonly relationships: Readonly<Record<string, Relationship>>;
  /** Whether rows belong to a node, so that node_state can be asked of them. */
  readonly ofNodes: boolean;
  /** Rows are bare values rather than objects (fact_names). */
  readonly bare?: boolean;
  /** `type = agent` is added unless the filter says something about type. */
  readonly agentOnly?: boolean;
}

export function isQueryable(field: Field | undefined): field is Field {
  return field !== undefined && field.queryable !== false;
}

export function isProjectable(field: Field | undefined): field is Field {
  return field !== undefined && field.projectable !== false;
}

/** The names of the fields that may stand in filters, in declaration order. */
export function queryableFields(entity: Entity): string[] {
  return Object.keys(entity.fields).filter((name) => isQueryable(entity.fields[name]));
}

export function projectableFields(entity: Entity): string[] {
  return Object.keys(entity.fields).filter((name) => isProjectable(entity.fields[name]));
}

/** The columns of an answer that projects nothing. */
export function defaultFields(entity: Entity): string[] {
  return projectableFields(entity).filter((name) => entity.fields[name]?.byDefault !== false);
}

/** The field, which is never NULL. */
export function required(of: Field): Field {
  return { ...of, required: true };
}

const n = alias("n");

/** The field, whose values may be megabytes long. */
export function long(table: LongTexts, of: Field): Field {
  return { ...of, long: table };
}

/** Shorthands for the common kinds of field. */
export const field = {
  certname: (node: SqlColumn): Field => ({ type: "string", sql: n("certname"), node, required: true }),
  string: (sql: FieldSql): Field => ({ type: "string", sql }),
  /** A text of which there are {@link Field.few}. */
  word: (sql: FieldSql): Field => ({ type: "string", sql, few: true }),
  boolean: (sql: FieldSql): Field => ({ type: "boolean", sql }),
  numeric: (sql: FieldSql): Field => ({ type: "numeric", sql }),
  timestamp: (sql: FieldSql): Field => ({ type: "timestamp", sql }),
  array: (sql: FieldSql): Field => ({ type: "array", sql }),
  serialized: (sql: FieldSql): Field => ({ type: "string", sql, serialized: true }),
  expanded: (sql: FieldSql): Field => ({ type: "expanded", sql, queryable: false }),
} as const;

/** Rows of a stored table. */
export function rowsOf(table: string, as: string): From {
  return { rows: stored(table), alias: as };
}

/** SQL of a join. */
export function joinSql(
  { table, alias: as, id }: Join,
  { isOuter, name = table }: { isOuter: boolean; name?: string },
): string {
  return `${isOuter ? "LEFT JOIN" : "JOIN"} ${name} ${as} ON ${as}.id = ${sqlText(id)}`;
}

/** The node a row belongs to. */
export function nodeJoin(id: SqlColumn): Join {
  return { table: "nodes", alias: "n", id };
}

/** The node of a row of a star. */
export function nodeLookup(id: SqlColumn): Join {
  return { ...nodeJoin(id), isLookup: true };
}

const byCertname: Relationship = { local: ["certname"], foreign: ["certname"] };

const certnameGroup = [
  "factsets",
  "reports",
  "inventory",
  "catalogs",
  "catalog_input_contents",
  "catalog_inputs",
  "nodes",
  "facts",
  "fact_contents",
  "events",
  "edges",
  "resources",
] as const;

/** Every entity that relates by certname, plus or instead what `more` says. */
export function certnameRelationships(
  more: Readonly<Record<string, Relationship>> = {},
): Readonly<Record<string, Relationship>> {
  return { ...Object.fromEntries(certnameGroup.map((name) => [name, byCertname])), ...more };
}

export function relate(local: string | readonly string[], foreign: string | readonly string[]): Relationship {
  return {
    local: typeof local === "string" ? [local] : local,
    foreign: typeof foreign === "string" ? [foreign] : foreign,
  };
}
