import type { Statement } from "#storage/engine/statements.ts";
import { entities, type Entity, projectableFields } from "#storage/query/entities/index.ts";
import { type CompileContext, compileRows } from "#storage/query/compile/statement.ts";
import { planQuery } from "#storage/query/query.ts";
import { buildSelection } from "#storage/query/ast/selection.ts";

/** A statement and what it is made for. */
export interface NamedStatement {
  readonly name: string;
  readonly statement: Pick<Statement, "sql">;
}

/** What statements are compiled with: nodes are in memory. */
export const context: CompileContext = { purgeHorizon: 0n, nodeOf: () => 7 };

/** Texts that many statements have in common, by the names that a list has in their place; the longest first. */
export class Fragments {
  readonly #texts: (readonly [text: string, name: string])[] = [];

  /** The rows and columns of each entity, and the columns that are long. */
  static ofEntities(): Fragments {
    const fragments = new Fragments();
    for (const entity of Object.values(entities)) {
      for (const field of projectableFields(entity))
        fragments.#add(columnText(entity, field), `${entity.name}.${field}`);
    }
    for (const { name } of Object.values(entities)) {
      const { sql } = planQuery({ of: { entity: name, activeOnly: false } }, context).rows;
      const [, row = "", columns = ""] = /^SELECT (.*?) FROM \(SELECT (.*?) FROM /s.exec(fragments.shorten(sql)) ?? [];
      fragments.#add(row, `row of ${name}`);
      fragments.#add(columns, `columns of ${name}`);
    }
    return fragments;
  }

  #add(text: string, name: string): void {
    if (text.length > LONG && !this.#texts.some(([known]) => known === text)) this.#texts.push([text, `«${name}»`]);
  }

  shorten(sql: string): string {
    return this.#texts.reduce((short, [text, name]) => short.replaceAll(text, name), sql);
  }

  get list(): readonly NamedStatement[] {
    return this.#texts.map(([sql, name]) => ({ name, statement: { sql } }));
  }
}

/** Shorter texts (characters) are written each time. */
const LONG = 80;

function columnText(entity: Entity, field: string): string {
  const { sql } = compileRows(buildSelection(entity, ["extract", [field]]), context);
  return /FROM \(SELECT (.*) AS c0 FROM /s.exec(sql)?.[1] ?? "";
}

/** Statements as one text: what each is for, and below it its SQL. */
export function listText(statements: readonly NamedStatement[], fragments?: Fragments): string {
  const blocks = statements.map(({ name, statement: { sql } }) => {
    const short = fragments?.shorten(sql) ?? sql;
    return [name, `  ${onOneLine(short)}`, ""].join("\n");
  });
  return blocks.join("\n");
}

/** The names in a list. */
export function namesIn(list: string): string[] {
  return list.split("\n").filter((line) => line !== "" && !line.startsWith(" "));
}

function onOneLine(sql: string): string {
  return sql.trim().replaceAll(/\s*\n\s*/g, " ");
}

/**
 * The same for statements that differ in nothing but the names of tables and columns, short texts, comparisons, directions and
 * numbers.
 */
export function shapeOf({ sql }: Pick<Statement, "sql">): string {
  return sql
    .replaceAll(/'[^'"{}%]{0,40}'/g, "'text'")
    .replaceAll(/\$\d+/g, "$")
    .replaceAll(/\b(FROM|JOIN) [a-z_]+ [a-z]{1,2}\b/g, "$1 table")
    .replaceAll(/\b[a-z]{1,2}\.[a-z_]+\b/g, "column")
    .replaceAll(/\bc\d+\b/g, "c")
    .replaceAll(/(?:column AS c(?:, )?)+/g, "columns ")
    .replaceAll(/(?:'text', c(?:, )?)+/g, "pairs ")
    .replaceAll(/ (?:AND|OR) /g, " junction ")
    .replaceAll(/ [<>]?=? (?=\$)/g, " comparison ")
    .replaceAll(/ (?:ASC NULLS LAST|DESC NULLS FIRST)/g, " direction")
    .replaceAll(/\b(LIMIT|OFFSET) \d+/g, "$1 number");
}
