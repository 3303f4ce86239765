/**
 * The entities of the query language as read-only views for SQL, generated from their declarations with the same names
 * and fields. Our tables are not visible.
 */
import type { ReplacedTables } from "../history/past-tables.ts";
import {
  type Entity,
  entities,
  type Field,
  type FieldSql,
  type FieldType,
  joinSql,
  sqlText,
} from "../query/entities/index.ts";

/** How the views of a connection differ. */
export interface ViewOptions {
  readonly inactive?: boolean;
  readonly past?: ReplacedTables | undefined;
}

/** A column of a view. */
export interface ViewColumn {
  readonly name: string;
  /** Its type in SQL. */
  readonly type: "VARCHAR" | "BOOLEAN" | "BIGINT" | "TIMESTAMP" | "VARCHAR[]" | "VARCHAR[][]" | "JSON";
}

/** A view, as it is described to users. */
export interface View {
  readonly name: string;
  readonly columns: readonly ViewColumn[];
  /** Whether rows belong to a node: then only rows of active nodes are shown, unless the options say otherwise. */
  readonly ofNodes: boolean;
}

const types: Readonly<Record<FieldType, ViewColumn["type"]>> = {
  string: "VARCHAR",
  boolean: "BOOLEAN",
  numeric: "BIGINT",
  timestamp: "TIMESTAMP",
  array: "VARCHAR[]",
  path: "JSON",
  "encoded-path": "JSON",
  json: "JSON",
  document: "JSON",
  expanded: "JSON",
};

/** Every view, in the order in which the entities are declared. */
export const views: readonly View[] = Object.values(entities).map((entity) => ({
  name: entity.name,
  columns: columnsOf(entity).map(([name, field]) => ({ name, type: typeOf(field) })),
  ofNodes: entity.ofNodes,
}));

/**
 * The statements that create the views of a connection; the views end with it.
 * @param database the engine's name of the database with the tables
 * @param options.inactive whether to show deactivated and expired nodes
 * @param options.past the tables of a past state; default: the present ones
 */
export function viewStatements(database: string, { inactive = false, past }: ViewOptions = {}): string[] {
  const stored = (table: string): string => `${quote(database)}.main.${table}`;
  const tables: Tables = {
    named: (table) => past?.nameOf(table, stored) ?? stored(table),
    joined: (table) => past?.nameOf(table, stored, true) ?? stored(table),
  };
  const made = Object.values(entities).map((entity) => viewStatement(entity, tables, inactive));
  return [...(past?.setUp(stored) ?? []), ...made, "SET search_path = 'temp.main'"];
}

/** Full names of tables, because the views hide those with the same names. */
interface Tables {
  readonly named: (table: string) => string;
  readonly joined: (table: string) => string;
}

function viewStatement(entity: Entity, { named: qualified, joined }: Tables, inactive: boolean): string {
  const qualifiedSql = (of: FieldSql): string => sqlText(of, { stored: qualified });
  const columns = columnsOf(entity).map(([name, field]) => `${columnSql(field, qualifiedSql)} AS ${quote(name)}`);
  const joins = entity.joins.map((join) =>
    joinSql(join, { isOuter: join.isLookup === true, name: joined(join.table) }),
  );
  const isLimited = entity.ofNodes && !inactive;
  const conditions = [
    ...(entity.always === undefined ? [] : [qualifiedSql(entity.always)]),
    ...(isLimited ? ["n.deactivated IS NULL AND n.expired IS NULL"] : []),
  ];
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  const { alias, rows: plain, computed } = entity.from;
  const rows = computed?.rows ?? plain;
  const first = `${"stored" in rows ? qualified(rows.stored) : qualifiedSql(rows)} ${alias}`;
  const select = `SELECT ${columns.join(", ")} FROM ${[first, ...joins].join(" ")}${where}`;
  return `CREATE TEMP VIEW ${quote(entity.name)} AS ${select}`;
}

function textOf(sql: FieldSql): string {
  return sqlText(sql);
}

/** A field that cannot be projected and has the same value as another one is not a column. */
function columnsOf({ fields }: Entity): [string, Field][] {
  const all = Object.values(fields);
  const shown = new Set(all.flatMap(({ projectable, sql }) => (projectable === false ? [] : [textOf(sql)])));
  return Object.entries(fields).filter(
    ([, { isUnlisted, projectable, sql }]) => isUnlisted !== true && (projectable !== false || !shown.has(textOf(sql))),
  );
}

function typeOf(field: Field): ViewColumn["type"] {
  if (field.serialized === true) return "JSON";
  // An array with elements of its own consists of pairs.
  return field.type === "array" && field.elements !== undefined ? "VARCHAR[][]" : types[field.type];
}

function columnSql(field: Field, textOf: (of: FieldSql) => string): string {
  const type = typeOf(field);
  return type === "JSON" || type === "BIGINT" ? `(${textOf(field.json ?? field.sql)})::${type}` : textOf(field.sql);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
