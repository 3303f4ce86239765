import type { Statement } from "../../engine/statements.ts";
import { columnText, elementsSql, type Expansion } from "../entities/index.ts";
import type { Column, Selection } from "../tree.ts";
import { columnSql } from "./columns.ts";
import { type CompileContext, Scope } from "./scope.ts";

/** A row that is read a list at a time: the texts of its columns, and the rows of which each list is made. */
export interface RowOfLists {
  /** Of one row: JSON texts. */
  readonly columns: Statement;
  /** What the row is made of: a text, the number of a column, a list. */
  readonly parts: readonly (string | number | ListPart)[];
}

export interface ListPart extends Pick<Expansion, "open" | "separator" | "close" | "none"> {
  /** Of one row for each element, whose columns together are its text. */
  readonly elements: Statement;
}

/**
 * How a column is made of rows whose owner is the row with a key.
 * @param key SQL
 */
export function expansionOf(column: Column, key: string): Expansion | undefined {
  if (column.kind !== "field") return undefined;
  const { expansion } = column.ref.field;
  return expansion !== undefined && columnText(expansion.of) === key ? expansion : undefined;
}

/** The row that `compileRows` makes for a key: there the engine makes all of its text. */
export function compileLists(
  { entity, columns }: Selection,
  context: CompileContext,
  key: { readonly sql: string; readonly id: string },
): RowOfLists {
  const scope = Scope.of(entity, context);
  const id = Number(key.id);
  const values: string[] = [];
  const texts: string[] = [];
  const parts: RowOfLists["parts"][number][] = [];
  const addColumn = (value: string, text: (alias: string) => string): void => {
    const alias = `c${values.length}`;
    parts.push(texts.length);
    values.push(`${value} AS ${alias}`);
    texts.push(`${text(alias)} AS ${alias}`);
  };
  for (const [index, column] of columns.entries()) {
    const head = `${index === 0 ? "{" : ","}${JSON.stringify(column.key)}:`;
    const expansion = expansionOf(column, key.sql);
    if (expansion === undefined) {
      const compiled = columnSql(scope, column, "none");
      parts.push(head);
      addColumn(compiled.value, (alias) => compiled.json(alias));
    } else {
      const { before, after, open, separator, close, none } = expansion;
      const elements = { sql: elementsSql(expansion), values: [id] };
      parts.push(head + before, { open, separator, close, none, elements });
      if (after !== undefined) addColumn(scope.use(after), (alias) => alias);
    }
  }
  parts.push("}");
  const { always } = entity;
  const conditions = [`${key.sql} = ${scope.value(id)}`, ...(always === undefined ? [] : [scope.use(always)])];
  // A row that consists of nothing but lists is there or not.
  if (texts.length === 0) addColumn("''", (alias) => alias);
  const inner = `SELECT ${values.join(", ")} ${scope.from({ rows: true })} WHERE ${conditions.join(" AND ")}`;
  return { columns: scope.statement(`SELECT ${texts.join(", ")} FROM (${inner})`), parts };
}
