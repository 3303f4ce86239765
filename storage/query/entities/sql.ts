/**
 * The SQL of declarations as data: the table of each column, and the tables that an expression needs and reads. So SQL
 * is never parsed to find them.
 */

/** A column of a table of the entity, by the alias of the table. */
export interface SqlColumn {
  readonly table: string;
  readonly column: string;
  /** It is only compared with null. */
  readonly isOnlyNull?: true;
}

/** A stored table that an expression reads in a subquery, and the columns that it reads of it; absent: any. */
export interface StoredTable {
  readonly stored: string;
  readonly columns?: readonly string[];
}

/** A time that only the compiler knows: nodes that were deactivated or expired before it wait to be purged. */
export interface Moment {
  readonly moment: "purge horizon";
}

/** What a function of `dialect/duckdb.ts` makes of expressions. */
export interface Written {
  readonly write: (...of: string[]) => string;
  readonly of: readonly Piece[][];
}

type Piece = string | SqlColumn | StoredTable | Moment | Written;

/** An expression over tables of the entity. */
export interface SqlExpression {
  readonly expression: readonly Piece[];
  /** The aliases of its columns, each once. */
  readonly needs: readonly string[];
  /** The columns and the stored tables in it. */
  readonly reads: readonly (SqlColumn | StoredTable)[];
  /** Whether it has the same text in all statements. */
  readonly isFixed: boolean;
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

export function stored(table: string, ...columns: readonly string[]): StoredTable {
  return columns.length === 0 ? { stored: table } : { stored: table, columns };
}

export function isNull(column: SqlColumn): SqlExpression {
  return sql`${{ ...column, isOnlyNull: true }} IS NULL`;
}

export function isNotNull(column: SqlColumn): SqlExpression {
  return sql`${{ ...column, isOnlyNull: true }} IS NOT NULL`;
}

/**
 * An expression of SQL text, columns, stored tables and other expressions. The text is SQL, never a value.
 * @example sql`coalesce(${n("expires_facts")}, true)`
 */
export function sql(
  texts: TemplateStringsArray,
  ...parts: readonly (string | FieldSql | StoredTable | Moment)[]
): SqlExpression {
  return expressionOf(texts.flatMap((text, index) => [text, ...piecesOf(parts[index] ?? "")]));
}

/**
 * An expression that a function makes of others.
 * @example written((text) => duckdb.texts.bytes(text), e("message"))
 */
export function written(write: Written["write"], ...of: readonly (string | FieldSql)[]): SqlExpression {
  return expressionOf([{ write, of: of.map(piecesOf) }]);
}

function expressionOf(expression: readonly Piece[]): SqlExpression {
  const reads = expression.flatMap(readsOf);
  return {
    expression,
    needs: [...new Set(reads.flatMap((read) => ("table" in read ? [read.table] : [])))],
    reads,
    isFixed: !expression.some(hasMoment),
  };
}

function piecesOf(part: string | FieldSql | StoredTable | Moment): Piece[] {
  return typeof part === "object" && "expression" in part ? [...part.expression] : [part];
}

function readsOf(piece: Piece): (SqlColumn | StoredTable)[] {
  if (typeof piece === "string" || "moment" in piece) return [];
  return "write" in piece ? piece.of.flat().flatMap(readsOf) : [piece];
}

function hasMoment(piece: Piece): boolean {
  if (typeof piece === "string") return false;
  return "write" in piece ? piece.of.flat().some(hasMoment) : "moment" in piece;
}

/** The aliases of the tables that it needs. */
export function needsOf(of: FieldSql): readonly string[] {
  return "expression" in of ? of.needs : [of.table];
}

/** The columns and the stored tables that it reads. */
export function readsIn(of: FieldSql): readonly (SqlColumn | StoredTable)[] {
  return "expression" in of ? of.reads : [of];
}

/** Whether it reads stored tables in subqueries, which costs more than reading a column. */
export function hasSubquery(of: FieldSql): boolean {
  return readsIn(of).some((read) => "stored" in read);
}

/** How the variable parts of SQL are written. */
export interface SqlWriter {
  /** A stored table; default: its name. */
  readonly stored?: (table: string) => string;
  readonly moment?: () => string;
}

/** Texts of expressions without variable parts: an entity has the same ones in every statement. */
const fixedTexts = new WeakMap<SqlExpression, string>();

/** The text of a column or an expression. */
export function sqlText(of: FieldSql, writer: SqlWriter = {}): string {
  if (!("expression" in of)) return columnText(of);
  if (writer.stored !== undefined || !of.isFixed) return textOf(of.expression, writer);
  let text = fixedTexts.get(of);
  if (text === undefined) fixedTexts.set(of, (text = textOf(of.expression, writer)));
  return text;
}

export function columnText({ table, column }: SqlColumn): string {
  return `${table}.${column}`;
}

function textOf(pieces: readonly Piece[], writer: SqlWriter): string {
  return pieces.map((piece) => pieceText(piece, writer)).join("");
}

function pieceText(piece: Piece, writer: SqlWriter): string {
  if (typeof piece === "string") return piece;
  if ("table" in piece) return columnText(piece);
  if ("write" in piece) return piece.write(...piece.of.map((pieces) => textOf(pieces, writer)));
  if ("stored" in piece) return writer.stored?.(piece.stored) ?? piece.stored;
  if (writer.moment === undefined) throw new Error("the time from which nodes are purged is unknown here");
  return writer.moment();
}
