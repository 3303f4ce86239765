/**
 * An entity of the query language as a declaration, from which the compiler makes SQL. Only this folder knows the
 * tables of entities. Fields, types and relationships follow `reference/entities.md`.
 */
import type { LongTexts } from "../../schema/long-texts.ts";
import type { Json } from "../../json.ts";
import type { Expansion } from "./expansion.ts";
import {
  alias,
  columnText,
  type FieldSql,
  type SqlColumn,
  type SqlExpression,
  stored,
  type StoredTable,
} from "./sql.ts";

/**
 * The kind of a field decides which operators it supports and what an operand means (`reference/entities.md §1`).
 *
 * - `path` is an array of hash keys and array indexes; `encoded-path` is the same as one text.
 * - `json` is one JSON value of any type (a fact's value); `document` is an object whose parts have dotted names;
 *   `expanded` is JSON that is only returned and cannot be in a condition.
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
  /** Allowed in filters, `in` and order_by; default true. */
  readonly queryable?: boolean;
  /** Allowed in `extract`; default true. */
  readonly projectable?: boolean;
  /** A field that PuppetDB has not: it is found by its name, and in no list of fields, neither in messages nor in results. */
  readonly isUnlisted?: boolean;
  /** In the result of a query without a projection; default is `projectable`. */
  readonly byDefault?: boolean;
  /** SQL to order, group and compare by, where that is not `sql`. */
  readonly sortKey?: FieldSql;
  /** SQL of the field's JSON text in results, where the type does not decide how `sql` is written. */
  readonly json?: FieldSql;
  /** Operands are compared as canonical JSON text, because the values are stored so. */
  readonly serialized?: boolean;
  /** Operands become lower case before they are compared. */
  readonly lowerCase?: boolean;
  /** Only `= null` is supported (`reference/entities.md §1`, "string → timestamp"). */
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
  /** Never NULL, so its JSON text needs no case for NULL. */
  readonly required?: boolean;
  /** SQL of the same value in a joined table, whose rows are found faster where that is compared as well. */
  readonly alsoIn?: SqlColumn;
  /**
   * A text column that begins with what it returns where the field is equal to a text, which the engine compares sooner than
   * what it would compute; undefined: none does.
   */
  readonly begins?: { readonly in: SqlColumn; readonly with: (text: string) => string | undefined };
  /** Values are long: they are read last, and only for rows of the result. */
  readonly wide?: boolean;
  /** The rows that its JSON text is made of, where it is made of rows. */
  readonly expansion?: Expansion;
  /** Values may have megabytes; the table that they are in. */
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
  /** The stored text of a value, so that a string can be compared without extracting anything. */
  readonly encode: (value: Json) => string;
  /**
   * The column with the digest of name and value (`hash/parameter-digest.ts`), by which a row is found; absent: no such
   * column.
   */
  readonly digest?: string;
  /** SQL of the whole document in the entity's row, where it is also stored as a whole. */
  readonly whole?: FieldSql;
  /** Whether owners are nodes; then no parts of others are read where only one is wanted. */
  readonly isOfNodes?: boolean;
  /** Components before every path, e.g. `trusted` is the fact of that name. */
  readonly prefix?: readonly string[];
}

/** A table that the entity's fields may need, found by its id; joined only when a statement uses its alias. */
export interface Join {
  readonly table: string;
  readonly alias: string;
  /** The column with its id. */
  readonly id: SqlColumn;
  /**
   * Joined last, by an outer join although every row has a match, in statements that return rows: the engine then joins
   * ids first and looks up names last, rather than carrying the names of every row through a hash table as large as the
   * result.
   */
  readonly isLookup?: boolean;
}

/** The rows that an entity begins with: a stored table, or the result of a subquery. */
export interface From {
  readonly rows: StoredTable | SqlExpression;
  readonly alias: string;
  /** The same rows with columns that are computed of all rows of the table, for statements that need this alias. */
  readonly computed?: { readonly alias: string; readonly rows: SqlExpression };
}

/** `subquery` from this entity: the local columns must be among the other entity's foreign columns. */
export interface Relationship {
  readonly local: readonly string[];
  readonly foreign: readonly string[];
}

export interface Entity {
  readonly name: string;
  /** Its name in error messages, where that differs. */
  readonly alias: string;
  readonly from: From;
  /** The entity begins with a view over several tables, so its rows have no row number to find them by. */
  readonly isView?: boolean;
  /** The columns of the first table that decide what a row joins; they can be found before anything else is read. */
  readonly ids?: readonly string[];
  readonly joins: readonly Join[];
  /** Fields that together are unique for each row. */
  readonly unique?: readonly string[];
  /** Where {@link unique} is absent: fields by which rows have an order, but for rows that are equal in nearly all fields. */
  readonly order?: readonly string[];
  /** A condition that every row of the entity meets. */
  readonly always?: SqlExpression;
  readonly fields: Readonly<Record<string, Field>>;
  /** Fields in the order in which PuppetDB declares them and its messages list them, where {@link fields} have another. */
  readonly listed?: readonly string[];
  readonly relationships: Readonly<Record<string, Relationship>>;
  /** Whether rows belong to a node, so that they have a node_state. */
  readonly ofNodes: boolean;
  /** Rows are bare values rather than objects (fact_names). */
  readonly bare?: boolean;
  /** `type = agent` is added unless the filter mentions the type. */
  readonly agentOnly?: boolean;
}

export function isQueryable(field: Field | undefined): field is Field {
  return field !== undefined && field.queryable !== false;
}

export function isProjectable(field: Field | undefined): field is Field {
  return field !== undefined && field.projectable !== false;
}

/** The names of the fields that are allowed in filters, in declaration order. */
export function queryableFields(entity: Entity): string[] {
  return listedFields(entity).filter((name) => isQueryable(entity.fields[name]));
}

export function projectableFields(entity: Entity): string[] {
  return listedFields(entity).filter((name) => isProjectable(entity.fields[name]));
}

function listedFields({ fields }: Entity): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.isUnlisted !== true);
}

/** Some of the fields, in the order in which PuppetDB declares them. */
export function asListed({ listed = [] }: Entity, names: readonly string[]): string[] {
  const known = listed.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

/** The columns of the result of a query without a projection. */
export function defaultFields(entity: Entity): string[] {
  return projectableFields(entity).filter((name) => entity.fields[name]?.byDefault !== false);
}

/** Declares that the field is never NULL. */
export function required(of: Field): Field {
  return { ...of, required: true };
}

const n = alias("n");

/** Declares that values of the field may have megabytes. */
export function long(table: LongTexts, of: Field): Field {
  return { ...of, long: table };
}

/** Shorthands for the common kinds of field. */
export const field = {
  certname: (node: SqlColumn): Field => ({ type: "string", sql: n("certname"), node, required: true }),
  string: (sql: FieldSql): Field => ({ type: "string", sql }),
  boolean: (sql: FieldSql): Field => ({ type: "boolean", sql }),
  numeric: (sql: FieldSql): Field => ({ type: "numeric", sql }),
  timestamp: (sql: FieldSql): Field => ({ type: "timestamp", sql }),
  array: (sql: FieldSql): Field => ({ type: "array", sql }),
  serialized: (sql: FieldSql): Field => ({ type: "string", sql, serialized: true }),
  expanded: (sql: FieldSql): Field => ({ type: "expanded", sql, queryable: false }),
} as const;

/** Rows of a stored table. */
export function tableRows(table: string, as: string): From {
  return { rows: stored(table), alias: as };
}

/** SQL of a join. */
export function joinSql(
  { table, alias: as, id }: Join,
  { isOuter, name = table }: { isOuter: boolean; name?: string },
): string {
  return `${isOuter ? "LEFT JOIN" : "JOIN"} ${name} ${as} ON ${as}.id = ${columnText(id)}`;
}

/** The node a row belongs to. */
export function nodeJoin(id: SqlColumn): Join {
  return { table: "nodes", alias: "n", id };
}

/** The node of a row of a table whose rows all belong to nodes, looked up last. */
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
  "fact_changes",
  "resource_changes",
  "package_changes",
  "catalog_changes",
  "origins",
] as const;

/** The relationships by certname with every other such entity, changed by those of `more`. */
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
