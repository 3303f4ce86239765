import { sortRank } from "../../jsonb/sort-key.ts";
import { quotedText } from "../../engine/quoted-text.ts";
import type { Field } from "../entities/index.ts";
import type { FacetField } from "../facets/field.ts";
import { conditionSql } from "./conditions.ts";
import { jsonTextOf } from "./json-rows.ts";
import { valueSql } from "./values.ts";
import type { Scope } from "./scope.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** A field of a facet as SQL. */
export interface FacetColumn {
  /** What rows are grouped by, over the entity's tables; NULL where a row has no value. */
  readonly key: string;
  /** The value where it does not follow from the key, likewise. */
  readonly value?: string;
  /** Where the value is, if `value` is only the number of its row there: values are read last, and for few rows. */
  readonly stored?: { readonly table: string; readonly column: string };
  /** Whether the key is a list, each of whose elements is a value of the row. */
  readonly isList?: boolean;
  /** SQL of the JSON text of a value, over the alias of the value or else of the key. */
  json(alias: string): string;
  /** SQL of the text that is searched, likewise. */
  text(alias: string): string;
}

const plain = (alias: string): string => alias;

/** The text of a JSON text: strings without quotes. */
function bareText(alias: string): string {
  return `CASE WHEN left(${alias}, 1) = '"' THEN ${duckdb.json.string(alias)} ELSE ${alias} END`;
}

/** JSON's null is no value. */
function withoutNull(sql: string): string {
  return `nullif(${sql}, 'null')`;
}

/** Longer values (characters of their JSON text) are counted among the others: nobody picks one from a list. */
export const LONGEST_VALUE = 4096;

/**
 * SQL of a text that may be megabytes long as it is grouped and searched: of a long one its beginning, which is too long to be
 * listed, and what distinguishes it from others and whether it is found. The engine would carry all of it from step to step.
 * @param like the text that is searched, if any
 */
export function foldedSql(scope: Scope, sql: string, like: string | undefined): string {
  const { texts, values } = duckdb;
  const found =
    like === undefined
      ? "''"
      : values.choice(texts.contains(`lower(${sql})`, `lower(${scope.value(like)})`), scope.value(like), "''");
  // It is no JSON any more, and does not begin like a string.
  const folded = `concat(' ', left(${sql}, ${LONGEST_VALUE + 1}), ${texts.identity(sql)}, ${found})`;
  return `CASE WHEN ${texts.bytes(sql)} > 16384 THEN ${folded} ELSE ${sql} END`;
}

/**
 * @param like the text that values are searched for, if any
 * @param folds whether long values are folded, which are no values then
 */
export function facetColumn(scope: Scope, field: FacetField, like?: string, folds = true): FacetColumn {
  const { tables, times, values } = duckdb;
  const foldedLong = ({ long }: Field, text: string): string =>
    long === undefined || !folds ? text : foldedSql(scope, text, like);
  if (field.kind === "cases")
    return { key: casesSql(scope, field), json: (alias) => jsonTextOf("string", alias), text: plain };
  if (field.kind === "part") {
    const part = withoutNull(valueSql(scope, field.ref));
    // Folding a part that is extracted from a whole document would extract it several times.
    const key = field.ref.field.parts?.whole === undefined ? foldedLong(field.ref.field, part) : part;
    return { key, json: plain, text: bareText };
  }
  const { field: declared } = field.ref;
  const { type } = declared;
  const sql = scope.use(declared.sql);
  switch (type) {
    case "json": {
      const key = `nullif(${scope.use(declared.sortKey ?? declared.sql)}, '${sortRank.null}')`;
      const { from, isView } = scope.entity;
      const isOfRow = isView !== true && "column" in declared.sql && declared.sql.table === from.alias;
      if (!isOfRow || !("stored" in from.rows))
        return { key, value: foldedLong(declared, sql), json: plain, text: bareText };
      const stored = { table: from.rows.stored, column: declared.sql.column };
      return { key, value: tables.rowNumber(from.alias), stored, json: plain, text: bareText };
    }
    case "array":
      return {
        key: scope.use(declared.elements ?? declared.sql),
        isList: true,
        json: (alias) => jsonTextOf("string", alias),
        text: plain,
      };
    case "path":
    case "encoded-path":
      return declared.json === undefined
        ? { key: sql, json: plain, text: plain }
        : { key: sql, value: scope.use(declared.json), json: plain, text: plain };
    case "timestamp":
      return { key: times.inMilliseconds(sql), json: (alias) => jsonTextOf(type, alias), text: times.iso };
    default: {
      if (declared.serialized === true)
        return { key: foldedLong(declared, withoutNull(sql)), json: plain, text: bareText };
      return {
        key: foldedLong(declared, sql),
        json: (alias) => jsonTextOf(type, alias),
        text: (alias) => values.cast(alias, "text"),
      };
    }
  }
}

/** SQL of the name of the first case whose condition a row meets. */
function casesSql(scope: Scope, { cases }: Extract<FacetField, { kind: "cases" }>): string {
  const branches = cases.map(({ name, when }) =>
    when === undefined ? `ELSE ${quotedText(name)}` : `WHEN ${conditionSql(scope, when)} THEN ${quotedText(name)}`,
  );
  return `CASE ${branches.join(" ")} END`;
}
