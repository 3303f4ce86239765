/**
 * The SQL of declarations as data: the table of each column, and the tables that an expression needs and reads. So SQL
 * is never parsed to find them.
 */

/** A column of a table of the entity, by the alias of the table. */
export interface SqlColumn {
  readonly table: string;
  readonly column: string;
}

/** A stored table that an expression reads in a subquery. */
export interface StoredTable {
  readonly stored: string;
}

/** A time that only the compiler knows: nodes that were deactivated or expired before it wait to be purged. */
export interface Moment {
  readonly moment: "purge horizon";
}

/** An expression over tables of the entity. */
export interface SqlExpression {
  readonly expression: readonly (string | SqlColumn | StoredTable | Moment)[];
  /** The aliases of its columns, each once. */
  readonly needs: readonly string[];
}

export type FieldSql = SqlColumn | SqlExpression;

export const purgeHorizon: Moment = { moment: "purge horizon" };

/**
 * A table of an entity by its alias: makes its columns.
 * @example const n = alias("n"); n("certname")
 */
export function alias(table: string): (column: string) => SqlColumn {
  return (column) => ({ table, column });
}

export function stored(table: string): StoredTable {
  return { stored: table };
}

/**
 * An expression of SQL text, columns, stored tables and other expressions. The text is SQL, never a value.
 * @example sql`coalesce(${n("expires_facts")}, true)`
 */
export function sql(
  texts: TemplateStringsArray,
  ...parts: readonly (string | FieldSql | StoredTable | Moment)[]
): SqlExpression {
  const expression = texts.flatMap((text, index): SqlExpression["expression"] => {
    const part = parts[index];
    if (part === undefined) return [text];
    return [text, ...(typeof part === "object" && "expression" in part ? part.expression : [part])];
  });
  const needs = expression.flatMap((piece) => (typeof piece === "object" && "table" in piece ? [piece.table] : []));
  return { expression, needs: [...new Set(needs)] };
}

/** The aliases of the tables that it needs. */
export function needsOf(of: FieldSql): readonly string[] {
  return "expression" in of ? of.needs : [of.table];
}

/** Whether it reads stored tables in subqueries, which costs more than reading a column. */
export function hasSubquery(of: FieldSql): boolean {
  return "expression" in of && of.expression.some((piece) => typeof piece === "object" && "stored" in piece);
}

/** How the variable parts of SQL are written. */
export interface SqlWriter {
  /** A stored table; default: its name. */
  readonly stored?: (table: string) => string;
  readonly moment?: () => string;
}

/** The text of a column or an expression. */
export function sqlText(of: FieldSql, writer: SqlWriter = {}): string {
  if (!("expression" in of)) return `${of.table}.${of.column}`;
  return of.expression.map((piece) => pieceText(piece, writer)).join("");
}

function pieceText(piece: SqlExpression["expression"][number], { stored: name, moment }: SqlWriter): string {
  if (typeof piece === "string") return piece;
  if ("table" in piece) return `${piece.table}.${piece.column}`;
  if ("stored" in piece) return name?.(piece.stored) ?? piece.stored;
  if (moment === undefined) throw new Error("the time from which nodes are purged is unknown here");
  return moment();
}
