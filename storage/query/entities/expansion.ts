import type { LongTexts } from "../../schema/long-texts.ts";
import { type FieldSql, sql, type SqlColumn, type SqlExpression, sqlText, written } from "./sql.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** SQL of a part of an element: arguments of `concat`, or one text that may be megabytes long. */
type ElementPart = string | SqlExpression | { readonly long: string | SqlExpression };

/** How the elements of a list become one JSON text. */
interface ListText {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
  /** The JSON text where there are no elements. */
  readonly none: string;
}

/**
 * A JSON text that is made of other rows. It is declared once: the engine makes all of it by one expression, or its elements
 * one by one where all of it would take too much memory.
 */
export interface Expansion extends ListText {
  /** What is before the list, and SQL of what is behind it. */
  readonly before: string;
  readonly after?: FieldSql;
  /** The rows, and the column that says whose they are. */
  readonly from: SqlExpression;
  readonly owner: string;
  /** The owner's id in the entity's row. */
  readonly of: SqlColumn;
  readonly element: readonly ElementPart[];
  readonly order?: string;
}

/** The elements of a list, as declared. */
export type Elements = Pick<Expansion, "from" | "owner" | "of" | "element" | "order">;

export const array: ListText = { open: "[", separator: ",", close: "]", none: "null" };

/** SQL of the list; NULL where there are no elements. */
export function listSql(
  { from, owner, of, element, order }: Elements,
  { open, separator, close }: ListText,
): SqlExpression {
  const text = concatenated(element.map((part) => (isLong(part) ? part.long : part)));
  const all = written((each) => duckdb.aggregates.joined(each, `'${separator}'`, order), text);
  return sql`(SELECT '${open}' || ${all} || '${close}' FROM ${from} WHERE ${owner} = ${of})`;
}

function isLong(part: ElementPart): part is Extract<ElementPart, { readonly long: unknown }> {
  return typeof part === "object" && "long" in part;
}

/** SQL of one text of several. */
function concatenated(texts: readonly (string | SqlExpression)[]): SqlExpression {
  const all = texts.map((text) => sql`${text}`).reduce((one, other) => sql`${one}, ${other}`);
  return sql`concat(${all})`;
}

/** Where the records of an expanded field are found, besides in it. */
interface Expanded {
  /** SQL arguments of `concat` that make the URL's path, as a JSON text. */
  readonly href: SqlExpression;
  /** The table that long texts are in. */
  readonly long?: LongTexts;
}

/** A field of the form `{"data":[…],"href":"…"}`. */
export interface ExpandedField {
  readonly type: "expanded";
  readonly sql: FieldSql;
  readonly queryable: false;
  readonly expansion: Expansion;
  readonly long?: LongTexts;
}

/** A list of elements and where it is found. */
export function expandedList(elements: Elements, { href, ...long }: Expanded): ExpandedField {
  return { ...expanded(listSql(elements, array), { ...elements, ...array }, href), ...long };
}

/** A JSON text that a column of the entity's row contains, and where it is found. */
export function expandedColumn(
  column: SqlColumn,
  elements: Pick<Elements, "from" | "owner" | "of">,
  { href, ...long }: Expanded,
): ExpandedField {
  const element = [{ long: `a.${column.column}` }];
  const text = { open: "", separator: "", close: "", none: "null" };
  return { ...expanded(column, { ...elements, ...text, element }, href), ...long };
}

function expanded(data: FieldSql, list: Elements & ListText, href: SqlExpression): Omit<ExpandedField, "long"> {
  return {
    type: "expanded",
    queryable: false,
    sql: sql`concat('{"data":', coalesce(${data}, 'null'), ',"href":', ${href}, '}')`,
    expansion: { ...list, before: '{"data":', after: sql`concat(',"href":', ${href}, '}')` },
  };
}

/** The statement of an expansion's elements, of the owner with the id `$1`. */
export function elementsSql({ from, owner, element, order }: Expansion): string {
  const columns: (string | SqlExpression)[] = [];
  let texts: (string | SqlExpression)[] = [];
  const gather = (): void => {
    if (texts.length > 0) columns.push(concatenated(texts));
    texts = [];
  };
  for (const part of element) {
    if (isLong(part)) {
      gather();
      columns.push(part.long);
    } else {
      texts.push(part);
    }
  }
  gather();
  const select = columns.map((column, index) => `${sqlText(sql`${column}`)} AS e${index}`).join(", ");
  const ordered = order === undefined ? "" : ` ORDER BY ${order}`;
  return `SELECT ${select} FROM ${sqlText(from)} WHERE ${owner} = $1${ordered}`;
}
